// The calendar of `<laurel-streak>`, in a browser: what the service knows of each period, for everybody, and nothing else.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../console/support/browser.ts';
import { COLOURS, violations } from '../../console/support/looking.ts';
import { ok } from '../../support/administration.ts';
import { startService } from '../../support/service.ts';
import { cuttable } from './cuttable.ts';
import { type Visit, visitShop, type World } from './guest.ts';

const screenshots =
  process.env['LAUREL_SCREENSHOTS'] ?? fileURLToPath(new URL('../../../dist/screenshots/widgets', import.meta.url));

let world: World;
let guest: Visit;
let now = new Date('2026-06-01T12:00Z');
const missions = new Map<string, string>();
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  const [service, browser] = await Promise.all([startService({ clock: () => now }), launchBrowser()]);
  world = { service, browser, network: await cuttable(service.baseUrl) };
  const { version, name, timeZone } = await ok(service.rest('GET', `/admin/clients/${service.clientId}`));
  const streaks = { freezesMax: 3, vacationDaysMax: 20 };
  await ok(service.rest('PUT', `/admin/clients/${service.clientId}`, { version, name, timeZone, streaks }));
  const { id: audienceId } = await ok(service.rest('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' }));
  for (const period of ['DAY', 'WEEK', 'MONTH']) {
    await ok(service.rest('POST', '/admin/event-definitions', { programmaticCode: period, type: 'SINGLE' }));
    const mission = { type: 'STREAK', name: `Each ${period}`, programmaticCode: period, period, endless: true };
    missions.set(period, (await ok(service.rest('POST', '/admin/missions', { audienceId, mission }))).id);
  }
});
afterAll(async () => {
  await world.network.close();
  await world.browser.close();
  await world.service.close();
});

let accountId: string;
beforeEach(async () => {
  on('2026-06-01');
  accountId = (await ok(world.service.rest('POST', '/accounts', { externalId: crypto.randomUUID() }))).id;
});
afterEach(() => guest?.end());

/** Noon of a day is the present. */
const on = (date: string): void => void (now = new Date(`${date}T12:00Z`));

async function keep(programmaticCode: string, ...dates: readonly string[]): Promise<void> {
  for (const date of dates) {
    on(date);
    await ok(world.service.rest('POST', '/gamification/triggers', { programmaticCode, accountId }));
  }
}

const june = (...days: readonly number[]) => days.map((day) => `2026-06-${String(day).padStart(2, '0')}`);
const support = (path: string, body: object) =>
  ok(world.service.rest('POST', `/admin/accounts/${accountId}/${path}`, { reason: 'test', ...body }));

/** A run of eleven days with a freeze and a vacation, seen on 15 June, which is open. */
async function playRun(): Promise<void> {
  await support('streak-freezes', {});
  await keep('DAY', ...june(1, 2, 3, 5, 6, 7, 8, 9));
  const vacations = [{ since: '2026-06-10', until: '2026-06-12' }];
  await ok(world.service.rest('PUT', `/v1/accounts/${accountId}/vacations`, { vacations }));
  await keep('DAY', ...june(12, 13, 14));
  on('2026-06-15');
}

async function open(period: string, options: { lang?: string; width?: number; scheme?: 'light' | 'dark' } = {}) {
  const { lang = 'en-GB', width = 800, scheme = 'light' } = options;
  const element = `laurel-streak mission="${missions.get(period)}"`;
  guest = await visitShop(world, {
    accountId,
    elements: [element],
    lang,
    browser: { viewport: { width, height: 700 } },
  });
  await guest.page.emulateMedia({ colorScheme: scheme });
  await guest.page.locator('laurel-streak [part=calendar]').waitFor();
}

const refresh = () => guest.page.evaluate(`document.querySelector('laurel-streak').refresh()`);

/** The sentences of the calendar, without the marks that isolate names. */
async function said(last: number): Promise<string[]> {
  const items = guest.page.locator('laurel-streak').getByRole('list', { name: 'Until today' }).locator('li .heard');
  return (await items.allTextContents()).slice(-last).map((text) => text.replaceAll(/[\u2066-\u2069]/g, ''));
}

test('a day of the run, one with a freeze, a vacation and the open one have their sentences; what nobody knows is not claimed', async () => {
  await playRun();
  await open('DAY');
  expect(await said(16)).toEqual([
    'Sunday 31 May: not known',
    // The run may have been kept on the vacation: its beginning is not claimed.
    'Monday 1 June: not known',
    'Tuesday 2 June: not known',
    'Wednesday 3 June: in the streak',
    'Thursday 4 June: covered by a freeze',
    'Friday 5 June: in the streak',
    'Saturday 6 June: in the streak',
    'Sunday 7 June: in the streak',
    'Monday 8 June: in the streak',
    'Tuesday 9 June: in the streak',
    'Wednesday 10 June: vacation',
    'Thursday 11 June: vacation',
    'Friday 12 June: in the streak',
    'Saturday 13 June: in the streak',
    'Sunday 14 June: in the streak',
    'Monday 15 June: not kept yet',
  ]);
  expect(await guest.page.locator('laurel-streak [aria-current=date]').count()).toBe(1);
  await keep('DAY', '2026-06-15');
  await refresh();
  await guest.shows('laurel-streak', '12 days in a row');
  expect((await said(2)).at(-1)).toBe('Monday 15 June: kept');
  expect(guest.faults).toEqual([]);
});

test('a late event gives the freeze of its day back, and the days are read again with the run alone', async () => {
  await support('streak-freezes', {});
  await keep('DAY', ...june(1, 2));
  on('2026-06-04');
  await open('DAY');
  expect(await said(3)).toEqual([
    'Tuesday 2 June: in the streak',
    'Wednesday 3 June: covered by a freeze',
    'Thursday 4 June: not kept yet',
  ]);
  const asked: string[] = [];
  guest.page.on('request', (request) => request.method() === 'GET' && asked.push(new URL(request.url()).pathname));
  await refresh();
  expect(asked).toEqual(['/v1/feed/account/me']);
  const late = { programmaticCode: 'DAY', accountId, occurredAt: '2026-06-03T20:00:00Z' };
  await ok(world.service.rest('POST', '/gamification/triggers', late));
  await refresh();
  await guest.shows('laurel-streak', '3 days in a row');
  expect((await said(2))[0]).toBe('Wednesday 3 June: in the streak');
});

test('a lost run has its missed day, and the same run restored by support goes on', async () => {
  await keep('DAY', ...june(1, 2, 3));
  on('2026-06-05');
  await open('DAY');
  expect(await said(4)).toEqual([
    'Tuesday 2 June: not known',
    'Wednesday 3 June: not known',
    'Thursday 4 June: not kept',
    'Friday 5 June: not kept yet',
  ]);
  await support('streaks/restore', { missionId: missions.get('DAY') });
  await refresh();
  await guest.shows('laurel-streak', '3 days in a row');
  expect(await said(5)).toEqual([
    'Monday 1 June: not known',
    'Tuesday 2 June: in the streak',
    'Wednesday 3 June: in the streak',
    'Thursday 4 June: in the streak',
    'Friday 5 June: not kept yet',
  ]);
});

test('an account that has never kept a day has missed none', async () => {
  on('2026-06-03');
  await open('DAY');
  const all = await said(100);
  expect(all).toHaveLength(31);
  expect(new Set(all.slice(0, -1).map((text) => text.split(': ')[1]))).toEqual(new Set(['not known']));
});

describe('weeks and months stand in a row', () => {
  test('by the Monday of each week, also around the turn of a year', async () => {
    on('2026-12-21');
    await support('streak-freezes', {});
    await keep('WEEK', '2026-12-14', '2026-12-21');
    on('2027-01-05');
    await open('WEEK');
    // The week from 28 December is 2026-W53.
    expect(await said(4)).toEqual([
      'Week from 14 December: in the streak',
      'Week from 21 December: in the streak',
      'Week from 28 December: covered by a freeze',
      'Week from 4 January: not kept yet',
    ]);
    expect(await said(100)).toHaveLength(12);
  });

  test('and by the name of each month', async () => {
    await keep('MONTH', '2026-06-30', '2026-07-31', '2026-08-31');
    await open('MONTH');
    expect(await said(4)).toEqual([
      'May 2026: not known',
      'June 2026: in the streak',
      'July 2026: in the streak',
      'August 2026: kept',
    ]);
    expect((await said(100))[0]).toBe('September 2025: not known');
  });
});

const FORMS = [
  { name: 'calendar-light', lang: 'en', width: 800, scheme: 'light' },
  { name: 'calendar-dark', lang: 'en', width: 800, scheme: 'dark' },
  { name: 'calendar-phone', lang: 'es', width: 320, scheme: 'light' },
  { name: 'calendar-arabic', lang: 'ar', width: 320, scheme: 'dark' },
] as const;

test.each(FORMS)('$name: it fits, is in its language, and hinders nobody', async ({ name, ...form }) => {
  await playRun();
  for (const period of ['DAY', 'WEEK']) {
    await open(period, form);
    const { page, faults } = guest;
    await page.screenshot({ path: `${screenshots}/${name}-${period.toLowerCase()}.png`, fullPage: true });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(form.width);
    expect(await violations(page, name, form.scheme === 'dark' ? COLOURS : {})).toEqual([]);
    const [first, second] = await Promise.all(
      [0, 1].map((at) => page.locator('laurel-streak li').nth(at).boundingBox()),
    );
    expect(first!.x < second!.x).toBe(form.lang !== 'ar');
    expect(faults).toEqual([]);
    if (period === 'DAY') await guest.end();
  }
});

test('states differ without colour', async () => {
  await playRun();
  await open('DAY');
  const { page } = guest;
  await page.emulateMedia({ forcedColors: 'active' });
  const form = (state: string) =>
    page
      .locator(`laurel-streak li[data-state=${state}]`)
      .last()
      .evaluate((node) => {
        const { borderStyle, borderColor, backgroundColor } = getComputedStyle(node);
        return `${borderStyle} ${borderColor} ${backgroundColor}`;
      });
  const forms = await Promise.all(['run', 'freeze', 'vacation', 'open', 'unknown'].map(form));
  expect(new Set(forms).size).toBe(5);
  await page.screenshot({ path: `${screenshots}/calendar-forced.png`, fullPage: true });
});
