import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { ok } from '../support/administration.ts';
import { newGame } from '../support/game.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';

const screenshots = fileURLToPath(new URL('../../dist/screenshots/simulator', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
let receiver: Receiver;
let accountId: string;
let visitor: BrowserContext;
let page: Page;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  service = await sharedService();
  [browser, operator, receiver] = await Promise.all([launchBrowser(), newOperator(service), startReceiver()]);
  const post = (path: string, body: unknown) => ok(service.rest('POST', path, body));
  const { id: productId } = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 4 });
  const mug = (name: string, amount: number) => ({ name, type: 'PRODUCTS', amount, productId });
  await newGame(service, {
    rewards: [mug('A mug', 1), mug('A crate of mugs', 9)],
    missions: [{ name: 'First visit' }],
  });
  await newGame(service, {
    codes: {},
    activate: false,
    missions: [{ name: 'Not yet' }],
  });
  await newGame(service, {
    codes: {},
    missions: [{ name: 'Big spender', programmaticCode: 'PURCHASE', conditions: { minAmount: 50 }, target: 100 }],
  });
  await post('/admin/event-definitions', {
    programmaticCode: 'ORDER',
    type: 'SINGLE',
    attributes: [
      { name: 'category', type: 'STRING', required: true, allowedValues: ['coffee', 'tea'] },
      { name: 'price', type: 'NUMBER', max: 50 },
      { name: 'gift', type: 'BOOLEAN' },
      { name: 'orderedAt', type: 'TIMESTAMP' },
      { name: 'tags', type: 'STRING_LIST' },
      { name: 'barista', type: 'STRING', personal: true },
    ],
  });
  const expression =
    'event.category == "tea" && event.gift && "new" in event.tags && event.orderedAt < now && event.price >= 2.5';
  await newGame(service, {
    codes: {},
    missions: [{ name: 'Tea for two', programmaticCode: 'ORDER', conditions: { expression } }],
  });
  await ok(service.rest('PUT', '/webhooks/mission-completed', { endpoint: receiver.url, signed: true }));
  const person = { externalId: 'guest-77', name: 'Ada Moreno', email: 'ada@example.com' };
  ({ id: accountId } = await post('/accounts', person));
}, 60_000);
afterAll(async () => {
  await visitor?.close();
  await browser?.close();
  await receiver?.close();
  await service?.close();
});
beforeEach(async () => {
  await visitor?.close();
  visitor = await browser.visitor({ reducedMotion: 'reduce', viewport: { width: 1280, height: 1100 } });
  page = await visitor.newPage();
});

/** Chooses the account by typing `text`, and the event. */
async function ask(text: string, option: RegExp, code: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Account' }).fill(text);
  await page.getByRole('option', { name: option }).click();
  await page.getByRole('combobox', { name: 'Event' }).fill(code);
  await page.getByRole('option', { name: code, exact: true }).click();
}

describe('The simulator', { timeout: 60_000 }, () => {
  it('tells what is left of each product, that the campaign closes, and the webhook with its headers', async () => {
    await signIn(page, service, operator, '/simulator');
    await ask('ada@exam', /guest-77/, 'LOGIN');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('4 left, 1 would be taken').waitFor();
    await page.getByText('3 left, 9 needed').waitFor();
    await page.getByText('Waits for stock').waitFor();
    await page.getByText('The campaign would close').waitFor();
    await page.getByText('1 webhook would be sent').click();
    await page.getByText('webhook-signature').waitFor();
    await page.getByText('"name": "First visit"').waitFor();
    const idle = page.getByText('1 mission of a campaign that is not running');
    expect(await page.getByText('Not yet').isVisible()).toBe(false);
    await idle.click();
    await page.getByText('The campaign is a draft, or was not open when the event occurred.').waitFor();
    await page.screenshot({ path: `${screenshots}/laptop.png`, fullPage: true });
    expect(receiver.received).toEqual([]);
  });

  it('is opened by a link as it was, in another language and on a phone, and the link holds ids and values alone', async () => {
    await signIn(page, service, operator, '/simulator');
    await ask('moreno', /guest-77/, 'PURCHASE');
    await page.getByLabel('Amount').fill('12.5');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('The amount is below the smallest that counts.').waitFor();
    const link = page.url();
    const query = new URL(link).searchParams;
    query.delete('client');
    expect(Object.fromEntries(query)).toEqual({ account: accountId, event: 'PURCHASE', amount: '12.5' });
    await page.evaluate(() => localStorage.setItem('laurel.preferences', '{"language":"es","timeZone":"UTC"}'));
    await page.setViewportSize({ width: 390, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.goto(link);
    await page.getByText('La cantidad está por debajo de la menor que cuenta.').waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Cuenta' }).inputValue()).toBe('guest-77');
    await page.goto(link.replace('PURCHASE', 'LOGIN').replace('&amount=12.5', ''));
    await page.getByText('Se enviaría 1 webhook').click();
    await page.screenshot({ path: `${screenshots}/phone-dark-es.png`, fullPage: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.evaluate(axe);
    const faults = await page.evaluate(async () => {
      // oxlint-disable-next-line typescript/no-explicit-any -- axe is a script of the page.
      const { violations } = await (globalThis as any).axe.run();
      return violations.filter(({ impact }: { impact: string }) => ['serious', 'critical'].includes(impact));
    });
    expect(faults).toEqual([]);
  });

  it('takes a value for each declared attribute, and shows the part of the condition that did not hold', async () => {
    await signIn(page, service, operator, '/simulator');
    await ask('moreno', /guest-77/, 'ORDER');
    const simulate = () => page.getByRole('button', { name: 'Simulate' }).click();
    const choose = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await page.getByLabel('price').fill('2');
    await page.getByLabel('barista').fill('Dana');
    await simulate();
    await page.getByText('Fill this in.').waitFor();
    await choose('category', 'coffee');
    await simulate();
    await page.getByText('event.category is "coffee", needed "tea"').waitFor();
    await choose('category', 'tea');
    await simulate();
    await page.getByText('event.gift is missing').waitFor();
    await choose('gift', 'Yes');
    await page.getByRole('combobox', { name: 'tags' }).fill('new');
    await page.keyboard.press('Enter');
    await page.getByLabel('orderedAt').fill('2026-01-31T08:00');
    await simulate();
    await page.getByText('event.price is 2, needed at least 2.5').waitFor();
    const query = new URL(page.url()).searchParams;
    expect(JSON.parse(query.get('attributes') ?? '')).toEqual({
      category: 'tea',
      price: 2,
      gift: true,
      orderedAt: '2026-01-31T08:00:00.000Z',
      tags: ['new'],
    });
    await page.evaluate(() =>
      localStorage.setItem('laurel.preferences', '{"language":"es","timeZone":"America/Lima"}'),
    );
    await page.goto(page.url());
    await page.getByText('event.price es 2, hace falta como mínimo 2,5').waitFor();
    expect(await page.getByLabel('orderedAt').inputValue()).toBe('2026-01-31T03:00');
    await page.screenshot({ path: `${screenshots}/attributes-es.png`, fullPage: true });
    await page.getByLabel('price').fill('3');
    await page.getByRole('button', { name: 'Simular' }).click();
    await page.getByText('Se completa').waitFor();
  });

  it('judges an external id that no account has, and keeps it out of the address', async () => {
    await signIn(page, service, operator, '/simulator');
    await ask('nobody@example.com', /New account with the external id nobody@example.com/, 'LOGIN');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('The campaign would close').waitFor();
    expect(page.url()).not.toContain('nobody');
    expect(await service.rest('GET', '/accounts/nobody@example.com?idType=EXTERNAL')).toMatchObject({ status: 404 });
  });
});
