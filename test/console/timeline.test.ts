// The history on an account's page and in the journal of all events, as an operator finds it.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
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
let campaignId: string;

const post = (path: string, body: unknown = {}) => ok(service.rest('POST', path, body));
const event = (operationId: string = newId()) =>
  post('/gamification/triggers', { programmaticCode: 'LOGIN', accountId: ada, metadata: {}, operationId });
const main = () => page.getByRole('main');
const seesText = (text: string | RegExp): Promise<void> => waitForText(main(), text);
const open = (path: string) => signIn(page, service, operator, path);

beforeAll(async () => {
  service = await sharedService();
  [browser, operator] = await Promise.all([launchBrowser(), newOperator(service)]);
  ({ campaignId } = await newGame(service, {
    missions: [{ name: 'Come twice', target: 2 }],
    campaign: { name: 'Summer Sale' },
  }));
  ({ id: ada } = await post('/accounts', { externalId: 'ada', name: 'Ada' }));
  await event();
  await post(`/admin/campaigns/${campaignId}/pause`);
  await event('order-4711');
  await post('/admin/event-definitions', {
    programmaticCode: 'ORDER',
    type: 'SINGLE',
    attributes: [
      { name: 'drink', type: 'STRING' },
      { name: 'price', type: 'NUMBER' },
      { name: 'gift', type: 'BOOLEAN' },
      { name: 'barista', type: 'STRING', personal: true },
    ],
  });
  const conditions = { expression: 'event.drink in ["tea", "coffee"]' };
  await newGame(service, { codes: {}, missions: [{ name: 'Hot', programmaticCode: 'ORDER', conditions }] });
  const metadata = { drink: 'milk', price: 2.5, gift: false, barista: 'Dana' };
  await post('/gamification/triggers', { programmaticCode: 'ORDER', accountId: ada, metadata, operationId: 'milk-1' });
}, 60_000);
beforeEach(async () => {
  visitor = await browser.visitor();
  page = await visitor.newPage();
});
afterEach(() => visitor.close());
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

describe('An operator', () => {
  it('finds on the page of Ada why she got nothing, and goes to the campaign', async () => {
    await open(`/accounts/${ada}`);
    expect(await main().getByRole('tab', { selected: true }).textContent()).toBe('What happened');
    await seesText('Counted nothing: Summer Sale was paused.');
    await seesText('Counted for Come twice.');
    await seesText('Come twice: 1 of 2, before 0');
    await main()
      .getByRole('listitem')
      .filter({ hasText: 'was paused' })
      .getByRole('link', { name: 'Summer Sale' })
      .click();
    await page.waitForURL((url) => url.pathname.includes(`/campaigns/${campaignId}`));
  });

  it('sees what happens while looking, and only the kinds that are chosen', async () => {
    await open(`/accounts/${ada}`);
    await seesText('Counted nothing: Summer Sale was paused.');
    await post(`/admin/accounts/${ada}/points/adjust`, { amount: 25, reason: 'Waited long.' });
    await seesText('Points were adjusted by +25; the balance was 25.');
    await seesText(/Waited long\./);
    await main().getByText('Points', { exact: true }).click();
    await main().getByText('Counted for Come twice.').waitFor({ state: 'detached' });
    await seesText('Points were adjusted by +25; the balance was 25.');
    expect(new URL(page.url()).searchParams.get('kinds')).toBe('POINTS');
    await main().getByText('Points', { exact: true }).click();
    await main().getByText('Chests', { exact: true }).click();
    await seesText('Nothing of these kinds');
  });

  it('finds an event by its operation id in the journal, and its account’s page', async () => {
    await open('/journal?operation=order-4711');
    await seesText('Counted nothing: Summer Sale was paused.');
    expect(await main().getByRole('listitem').count()).toBe(1);
    await main().getByRole('link', { name: 'ada', exact: true }).click();
    await page.waitForURL((url) => url.pathname.includes(`/accounts/${ada}`));
    await seesText('Counted for Come twice.');
  });

  it('reads which attributes an event had, and the part of the condition that did not hold', async () => {
    for (const path of [`/accounts/${ada}`, '/journal?operation=milk-1']) {
      await page.goto('about:blank');
      await open(path);
      const line = main().getByRole('listitem').filter({ hasText: 'the condition of Hot did not hold' });
      await line.getByText('event.drink is "milk", needed one of "tea", "coffee"').waitFor();
      expect(await line.textContent()).toContain('drink: milk · price: 2.5 · gift: No · barista: ***');
    }
    await page.evaluate(() => localStorage.setItem('laurel.preferences', JSON.stringify({ language: 'es' })));
    await page.reload();
    await seesText('event.drink es "milk", hace falta uno de "tea", "coffee"');
  });

  it('reads the amount of an event', async () => {
    await post('/admin/event-definitions', { programmaticCode: 'SPEND', type: 'AMOUNT' });
    const spent = { programmaticCode: 'SPEND', accountId: ada, metadata: { amount: 1_250.5 }, operationId: 'spent-1' };
    await post('/gamification/triggers', spent);
    await open('/journal?operation=spent-1');
    await seesText('Amount: 1,250.5');
  });

  it('narrows the journal by account and effect, and saves what is shown', async () => {
    await open('/journal');
    await main().getByLabel('Account id').fill('nobody');
    await seesText('Nobody has this id');
    await main().getByLabel('Account id').fill('ada');
    await main().getByRole('combobox', { name: 'Effect' }).click();
    await page.getByRole('option', { name: 'Counted', exact: true }).click();
    await main().getByText('was paused').waitFor({ state: 'detached' });
    await seesText('Counted for Come twice.');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      main().getByRole('button', { name: /CSV/ }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('journal.csv');
  });

  it('reads it in Spanish and on a phone, without pushing it aside', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open(`/accounts/${ada}`);
    await page.evaluate(() => localStorage.setItem('laurel.preferences', JSON.stringify({ language: 'es' })));
    await page.reload();
    await seesText('No contó: Summer Sale estaba en pausa.');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/phone.png`, fullPage: true });
  });
});
