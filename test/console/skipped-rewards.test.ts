// Why a reward whose amount is an expression paid nothing, as an operator reads it before and after the event.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { newGame } from '../support/game.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser, waitForText } from './support/browser.ts';

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
let visitor: BrowserContext;
let page: Page;
let ada: string;

const post = (path: string, body: unknown = {}) => ok(service.rest('POST', path, body));
const seesText = (text: string): Promise<void> => waitForText(page.getByRole('main'), text);

beforeAll(async () => {
  service = await sharedService();
  [browser, operator] = await Promise.all([launchBrowser(), newOperator(service)]);
  const attributes = [{ name: 'items', type: 'NUMBER' }];
  await post('/admin/event-definitions', { programmaticCode: 'BASKET', type: 'AMOUNT', attributes });
  const points = (name: string, amountExpression: string) =>
    post('/admin/rewards', { name, type: 'POINTS', amountExpression, amountMax: 50 });
  const { id: perItem } = await points('Per item', 'event.amount / event.items');
  const { id: old } = await points('For old accounts', 'now - account.createdAt > duration("24h") ? 5 : 0');
  await newGame(service, {
    codes: {},
    missions: [{ name: 'A basket', programmaticCode: 'BASKET', rewardIds: [perItem] }],
    campaign: { rewardIds: [old] },
  });
  ({ id: ada } = await post('/accounts', { externalId: 'basket-ada', name: 'Ada' }));
}, 60_000);
beforeEach(async () => {
  visitor = await browser.visitor({ viewport: { width: 1280, height: 1100 } });
  page = await visitor.newPage();
});
afterEach(() => visitor.close());
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

describe('A reward that would pay nothing', { timeout: 60_000 }, () => {
  it('is named in the simulator with the reason and the values, for the mission and for the campaign', async () => {
    await signIn(page, service, operator, '/simulator');
    await page.getByRole('combobox', { name: 'Account' }).fill('basket-ada');
    await page.getByRole('option', { name: /basket-ada/ }).click();
    await page.getByRole('combobox', { name: 'Event' }).fill('BASKET');
    await page.getByRole('option', { name: 'BASKET', exact: true }).click();
    await page.getByLabel('Amount').fill('12.5');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await seesText('Not earned: Per item. The expression of its amount has no value');
    await seesText('event.amount is 12.5, event.items is missing.');
    await seesText('Not earned: For old accounts. The expression of its amount is below 1: it pays whole points.');
  });

  it('is named after the event on the page of the account, in the language of the operator', async () => {
    const metadata = { amount: 12.5 };
    await post('/gamification/triggers', { programmaticCode: 'BASKET', accountId: ada, metadata });
    await signIn(page, service, operator, `/accounts/${ada}`);
    await seesText('Not earned: Per item. The expression of its amount has no value');
    await page.evaluate(() => localStorage.setItem('laurel.preferences', '{"language":"es","timeZone":"UTC"}'));
    await page.reload();
    await seesText('No se ganó: Per item. La expresión de su cantidad no tiene valor');
    await seesText('event.amount es 12.5, falta event.items.');
    await seesText('No se ganó: For old accounts. La expresión de su cantidad es menor que 1');
  });
});
