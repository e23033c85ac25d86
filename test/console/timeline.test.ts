// The history on an account's page and in the journal of all events, as an operator finds it.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { holdAccount } from '../operations/triggers/inbox-fixture.ts';
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

  it('reads what an event caused beneath it, with amounts, sources and the clock and audiences of the account', async () => {
    await post('/admin/event-definitions', { programmaticCode: 'VOTE', type: 'SINGLE' });
    await newGame(service, {
      codes: {},
      missions: [{ name: 'Vote once', programmaticCode: 'VOTE', target: 1 }],
      rewards: [{ name: 'Thanks', type: 'POINTS', amount: 75 }],
      campaign: { name: 'Elections' },
    });
    const { id: kim } = await post('/accounts', { externalId: 'kim', timeZone: 'Asia/Tokyo' });
    await post(`/admin/accounts/${kim}/points/adjust`, { amount: 5, reason: '"As agreed."' });
    await post('/gamification/triggers', {
      programmaticCode: 'VOTE',
      accountId: kim,
      metadata: {},
      operationId: 'v-1',
    });
    await open(`/accounts/${kim}`);
    const line = main().getByRole('listitem').filter({ hasText: 'VOTE' }).first();
    for (const text of [
      'Completed the mission Vote once.',
      'Got the reward Thanks.',
      '75 points',
      'Earned 75 points; the balance was 80.',
      'For the reward Thanks',
    ])
      await waitForText(line.getByRole('list'), text);
    expect(await main().getByRole('listitem').filter({ hasText: 'Got the reward' }).count()).toBe(2);
    expect(await line.innerText()).not.toContain('Earned: Thanks');
    await seesText(/Times are by .*, with the account’s own clock, Asia\/Tokyo, beneath\./);
    expect(await line.innerText()).toMatch(/\d\d:\d\d Tokyo/);
    await seesText(/“As agreed\.”/);
    expect(await main().innerText()).not.toMatch(/[“"]{2}/);
    await main().getByRole('region', { name: 'Audiences' }).getByRole('link').first().waitFor();
    await page.goto(`${service.baseUrl}/console/accounts/${kim}?kinds=POINTS`);
    const points = main().getByRole('listitem').filter({ hasText: 'Earned 75 points' });
    await waitForText(points, 'For the reward Thanks');
    await points.getByRole('link', { name: 'Elections' }).waitFor();
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/points.png`, fullPage: true });
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

  it('reads what the reversal of an event took back, what was kept and what is owed', async () => {
    await newGame(service, {
      codes: {},
      missions: [{ name: 'Buy', programmaticCode: 'PURCHASE', target: 10 }],
      rewards: [
        { name: 'Ten points', type: 'POINTS', amount: 10 },
        { name: 'Two kept points', type: 'POINTS', amount: 2, onReversal: 'KEEP' },
      ],
    });
    const { id: grace } = await post('/accounts', { externalId: 'grace', name: 'Grace' });
    const order = { programmaticCode: 'PURCHASE', accountId: grace, metadata: { amount: 12.5 } };
    await post('/gamification/triggers', { ...order, operationId: 'order-1' });
    await post(`/admin/accounts/${grace}/points/adjust`, { amount: -8, reason: 'Bought at the desk.' });
    const reversal = { programmaticCode: 'PURCHASE', triggerOperationId: 'order-1', operationId: 'return-1' };
    await post('/gamification/triggers/reversals', { ...reversal, reason: 'Order returned' });

    await open('/journal');
    await main().getByRole('combobox', { name: 'Effect' }).click();
    await page.getByRole('option', { name: 'Reversed an event', exact: true }).click();
    await seesText('Reversed an event: 12.5 of it was taken back.');
    const line = main().getByRole('listitem').filter({ hasText: 'Reversed an event' });
    for (const text of [
      'Buy: 0 of 10, before 10',
      'Ten points: 10 taken back (6 of it owed)',
      'Two kept points: 0 taken back, 2 kept',
      '“Order returned”',
    ])
      await waitForText(line, text);
    await page.goto(`${service.baseUrl}/console/accounts/${grace}`);
    await seesText('Owes 6 points of reversed events, which the next earnings pay.');
    await seesText('Lost 4 points of a reversed event; the balance was 0.');
    await main().getByRole('tab', { name: 'Rewards' }).click();
    await seesText('10; 10 taken back');
    await main().getByRole('tab', { name: 'Points' }).click();
    await main().getByText('Reversed', { exact: true }).waitFor();

    await post('/gamification/triggers', { ...order, operationId: 'order-2' });
    await page.goto(`${service.baseUrl}/console/accounts/${grace}`);
    await seesText('To pay a debt');
    await seesText('Earned in all');
    expect(await main().getByText(/^Owes/).count()).toBe(0);
    await page.evaluate(() => localStorage.setItem('laurel.preferences', JSON.stringify({ language: 'es' })));
    await page.reload();
    await seesText('Se deshizo un evento: se retiró 12,5 de su cantidad.');
    await seesText('Retirado de Ten points: 10 (de ello debe 6)');
    await seesText('Retirado de Two kept points: 0; conservado: 2');
  });

  it('reads that an event was withdrawn before it was applied', async () => {
    await post('/accounts', { externalId: 'edsger' });
    const order = { programmaticCode: 'PURCHASE', accountId: 'edsger', idType: 'EXTERNAL', metadata: { amount: 5 } };
    const release = await holdAccount(service, 'edsger');
    await post('/gamification/triggers/async', { ...order, operationId: 'order-3' });
    const reversal = { programmaticCode: 'PURCHASE', triggerOperationId: 'order-3', operationId: 'return-3' };
    await expect
      .poll(async () => (await service.rest('POST', '/gamification/triggers/reversals', reversal)).body, {
        timeout: 10_000,
      })
      .toMatchObject({ state: 'WITHDRAWN' });
    await release();
    await open('/journal?operation=return-3');
    await seesText('Withdrew an event before it was applied.');
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
