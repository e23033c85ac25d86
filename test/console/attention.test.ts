import { pino } from 'pino';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClockWatch, openClockWatch } from '../../src/housekeeping/clock/clock-watch.ts';
import { addToHours } from '../../src/activity/statistic-hours.queries.ts';
import { ok } from '../support/administration.ts';
import { testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, signIn, type TestBrowser } from './support/browser.ts';

let service: TestService;
let browser: TestBrowser;
let visitor: BrowserContext;
let page: Page;
let clockWatch: ClockWatch;
/** The milliseconds by which the clock of this machine is ahead of PostgreSQL's. */
let aheadMs = 0;
beforeAll(async () => {
  const database = await testDatabase();
  const local = () => new Date(Date.now() + aheadMs);
  clockWatch = await openClockWatch({ db: database.db, logger: pino({ level: 'silent' }), local });
  service = await startService({ database, clockWatch });
  browser = await launchBrowser();
  visitor = await browser.visitor();
  page = await visitor.newPage();
  await signIn(page, service, await newOperator(service));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await clockWatch?.stop();
  await service?.close();
});

const section = (name: string) => page.getByRole('region', { name });

it('The overview says that nothing needs anybody, and of a first day no change', async () => {
  await section('Needs attention').getByText('Nothing needs you.').waitFor();
  expect(await page.getByRole('main').innerText()).not.toContain('before');
});

it('The overview begins with what needs somebody, in words and with the way there', async () => {
  const mug = { name: 'Mug', stockMode: 'COUNTED', stock: 3 };
  const { id } = await ok(service.rest('POST', '/admin/products', mug));
  const rewards = [{ name: 'Mug', type: 'PRODUCTS', amount: 1, productId: id }];
  await newGame(service, { rewards, campaign: { name: 'Breakfast' } });
  for (const accountId of ['ada', 'bo']) {
    const event = { programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL' };
    await ok(service.rest('POST', '/gamification/triggers', event));
  }
  await page.reload();
  const attention = section('Needs attention');
  const link = attention.getByRole('link', { name: 'Mug is sold out in 12 hours at this rate' });
  await link.waitFor();
  await attention.getByText('1 unit free · 2 taken in 24 hours').first().waitFor();
  await attention.getByText('The campaign Breakfast gives Mug, which is sold out in 12 hours at this rate').waitFor();
  await link.click();
  await page.getByRole('heading', { name: 'Mug', level: 1 }).waitFor();
  await page.goBack();
});

it('The figures of the period lead to their lists, and stand beside those of the one before', async () => {
  const hour = new Date(Math.floor(Date.now() / 3_600_000 - 30) * 3_600_000);
  await service.db.systemUnitOfWork((uow) =>
    addToHours(uow, [{ clientId: service.clientId, hour, happened: { eventsApplied: 4 } }]),
  );
  await page.reload();
  await page.getByRole('link', { name: /^Events.*-50%, before 4$/s }).waitFor();
  await page.getByRole('link', { name: /^Active campaigns/ }).click();
  await page.waitForURL(/campaigns\?.*phase=ACTIVE/);
  await page.goBack();
  await section('Needs attention').waitFor();
});

it('A clock that is not trusted is shown before all else, as urgent, since when, and no longer than it lasts', async () => {
  const doubt = () =>
    section('Needs attention').getByRole('link', { name: 'The clock of the database is not trusted' });
  expect(await doubt().count()).toBe(0);
  aheadMs = 3_600_000;
  expect(await clockWatch.trustedNow()).toBeUndefined();
  await page.reload();
  await doubt().waitFor();
  const first = section('Needs attention').getByRole('listitem').first();
  await first.getByRole('img', { name: 'Urgent' }).waitFor();
  expect(await first.innerText()).toMatch(/nothing is deleted or expires until it is\s+since /);
  aheadMs = 0;
  expect(await clockWatch.trustedNow()).toBeDefined();
  await page.reload();
  await section('Needs attention').getByText('Mug is sold out').first().waitFor();
  expect(await doubt().count()).toBe(0);
});

it('What needs somebody is shown in Spanish, too', async () => {
  const spanish = await browser.visitor({ locale: 'es-ES' });
  const english = page;
  page = await spanish.newPage();
  await page.goto(`${service.baseUrl}/console/`);
  const { email, password } = await newOperator(service);
  await page.getByLabel('Correo').first().fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await section('Requiere atención').getByText('Mug se agota dentro de 12 horas a este ritmo').first().waitFor();
  page = english;
});

it('Every figure and every cause leads to a list of what it counts, and not of everything', async () => {
  const links = await page.getByRole('main').getByRole('link').all();
  const paths = await Promise.all(
    links.map(async (link) => [await link.innerText(), (await link.getAttribute('href')) ?? ''] as const),
  );
  const pathOf = (name: RegExp) => paths.find(([text]) => name.test(text))?.[1];
  expect(pathOf(/^Rewards waiting for stock/)).toMatch(/products\?waiting=true/);
  expect(pathOf(/^Events/)).toMatch(/journal\?from=20\d\d-/);
  expect(pathOf(/^Missions completed/)).toMatch(/journal\?effect=COMPLETED&from=/);
  expect(pathOf(/^Campaigns completed/)).toMatch(/journal\?effect=CAMPAIGN_COMPLETED&from=/);
  expect(pathOf(/^Webhooks/)).toMatch(/webhooks\?outcome=REFUSED%2CTIMED_OUT%2CFAILED/);
});

it('Rewards that wait lead to the products that they wait for, and to no other', async () => {
  await ok(service.rest('POST', '/admin/products', { name: 'Plenty', stockMode: 'COUNTED', stock: 3_000 }));
  for (const accountId of ['cy', 'di']) {
    const event = { programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL' };
    await ok(service.rest('POST', '/gamification/triggers', event));
  }
  await page.reload();
  await page.getByRole('link', { name: /^Rewards waiting for stock/ }).click();
  await page.getByRole('link', { name: 'Mug', exact: true }).waitFor();
  expect(await page.getByRole('main').innerText()).not.toContain('Plenty');
  await page.goBack();
});
