// The operator's second day: levels, a segment, a badge and a streak that lasts; then a returned order, a fraud, and one person with two
// accounts.
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import { givePlaces } from '../../src/leaderboards/leagues/give-places.ts';
import { closeRuns } from '../../src/leaderboards/runs/close-runs.ts';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';
import { disorder, inScheme, LAPTOP, overflows, PHONE, photograph, settled, violations } from './support/looking.ts';

const desk = operatorsDesk();
const { post, open, button, inDialog, seesText } = desk;

const dialog = () => desk.page.getByRole('dialog');
const row = (text: string) => desk.page.getByRole('row').filter({ hasText: text });
const get = (path: string) => ok(desk.service.rest('GET', path));

/** Picks an option of a select by its label. */
async function choose(label: string, option: string, within: Locator = desk.page.getByRole('main')): Promise<void> {
  await within.getByRole('combobox', { name: label }).click();
  await desk.page.getByRole('option', { name: option }).first().click();
  // It closes the list, and not the dialog.
  await desk.page.keyboard.press('Tab');
}

/** An order of a guest. */
const order = (accountId: string, amount: number, operationId: string) =>
  post('/gamification/triggers', {
    ...{ programmaticCode: 'ORDER', accountId, idType: 'EXTERNAL', metadata: { amount }, operationId },
  });

const idOf = async (externalId: string): Promise<string> => (await get(`/accounts/${externalId}?idType=EXTERNAL`)).id;
const pointsOf = (externalId: string) => get(`/loyalty/accounts/${externalId}/points?idType=EXTERNAL`);

/** The page, or its dialog, is fit for everybody: light, dark and on a phone. */
async function looksRight(what: string, within?: string): Promise<void> {
  const { page } = desk;
  await settled(page);
  await photograph(page, what, 'light');
  const faults = [...(await violations(page, 'light', {}, within)), ...(await disorder(page, 'light'))];
  await inScheme(page, 'dark');
  await photograph(page, what, 'dark');
  faults.push(...(await violations(page, 'dark', {}, within)));
  await inScheme(page, 'light');
  await page.setViewportSize(PHONE);
  await photograph(page, what, 'phone');
  faults.push(...(await overflows(page, 'phone')));
  await page.setViewportSize(LAPTOP);
  expect(faults).toEqual([]);
}

beforeAll(async () => {
  await post('/admin/event-definitions', { programmaticCode: 'ORDER', type: 'AMOUNT' });
  await post('/admin/audiences', { name: 'Every guest', kind: 'EVERYONE' });
  const { version, name, timeZone } = await get(`/admin/clients/${desk.service.clientId}`);
  const settings = { version, name, timeZone, streaks: { freezesMax: 3, freezePrice: 20, vacationDaysMax: 20 } };
  await ok(desk.service.rest('PUT', `/admin/clients/${desk.service.clientId}`, settings));
});

/** Each step needs what the steps before it made. */
describe('The operator’s second day', { timeout: 60_000 }, () => {
  it('begins with a number per account: what each has spent', async () => {
    await open('/statistics');
    await button('New statistic').first().click();
    await dialog().getByRole('textbox', { name: 'Code' }).fill('spent');
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Spent');
    await choose('Events', 'ORDER', dialog());
    await choose('Value', 'Sum', dialog());
    await inDialog('Create statistic').click();
    await row('spent').getByText('Sum').waitFor();
  });

  it('turns it into levels, of which Silver brings points', async () => {
    await post('/admin/rewards', { name: 'Welcome to Silver', type: 'POINTS', amount: 50 });
    await open('/levels');
    await button('New level track').first().click();
    await dialog().getByRole('textbox', { name: 'Code' }).first().fill('tier');
    await choose('Statistic', 'Spent', dialog());
    for (const [number, code, threshold] of [
      [1, 'bronze', '0'],
      [2, 'silver', '100'],
    ] as const) {
      const level = dialog().getByRole('group', { name: `Level ${number}` });
      await level.getByRole('textbox', { name: 'Code' }).fill(code);
      await level.getByRole('textbox', { name: 'From' }).fill(threshold);
      if (code === 'silver') await choose('Rewards', 'Welcome to Silver', level);
    }
    await looksRight('second day levels', '[role=dialog]');
    await inDialog('Create level track').click();
    await row('tier').getByText('silver (100)').waitFor();
  });

  it('makes a segment by the statistic, and sees how many accounts are in it', async () => {
    await order('mia', 120, 'mia-1');
    await order('noah', 20, 'noah-1');
    await open('/audiences');
    await button('New audience').first().click();
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Good guests');
    await dialog()
      .getByRole('radio', { name: /^By rule\./ })
      .click();
    await dialog().getByLabel('Accounts for which this holds').fill('account.statistics.spent >= 100');
    await dialog().getByText('One account matches.').waitFor();
    await inDialog('Create audience').click();
    await row('mia').waitFor();
    expect(await row('noah').count()).toBe(0);
    await looksRight('second day segment');
  });

  it('makes a badge, and a streak without an end that gives it and a freeze', async () => {
    await open('/rewards');
    await button('New reward').first().click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('A good start');
    await dialog().getByRole('radio', { name: 'Badge' }).click();
    await dialog().getByRole('textbox', { name: 'Text' }).fill('A coffee on the first day.');
    await inDialog('Create reward').click();
    await row('A good start').waitFor();

    await open('/campaigns/missions/new');
    await desk.page.getByLabel('Name in the feed').fill('A coffee a day');
    await choose('Event', 'ORDER');
    await choose('Type', 'Streak');
    await desk.page.getByRole('switch', { name: 'No end' }).click();
    await button('Add a milestone').click();
    const milestone = desk.page.getByRole('group', { name: 'Milestone 1' });
    await milestone.getByLabel('Periods').fill('1');
    await milestone.getByLabel('Freezes').fill('1');
    await choose('Rewards', 'A good start', milestone);
    await choose('Audience', 'Good guests');
    await looksRight('second day streak');
    await button('Create mission').click();
    await seesText('1 streak freeze');
  });

  it('sees on the page of a guest the level, the badge, the streak and its freeze', async () => {
    await order('mia', 30, 'mia-2');
    const id = await idOf('mia');
    await open(`/accounts/${id}?tab=levels`);
    await row('tier').getByText('silver').waitFor();
    await looksRight('second day level');
    await open(`/accounts/${id}?tab=badges`);
    await desk.page.getByRole('listitem').filter({ hasText: 'A good start' }).waitFor();
    await looksRight('second day badges');
    await open(`/accounts/${id}?tab=feed`);
    await seesText('A coffee a day');
    await looksRight('second day feed');
    expect(await get(`/v1/accounts/${id}/streak-freezes`)).toMatchObject({ owned: 1 });
    expect(await pointsOf('mia')).toMatchObject({ available: 50 });
  });

  it('announces a vacation for a guest who calls: her streak lasts through it', async () => {
    const id = await idOf('mia');
    const keepUntil = async () => (await get(`/v1/feed/account/${id}`))[0].streak.keepUntil;
    const before = Date.parse(await keepUntil());
    const { today } = await get(`/v1/accounts/${id}/vacations`);
    const ahead = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
    await open(`/accounts/${id}?tab=progress`);
    await button('Change vacations').click();
    await dialog().getByLabel('First day').fill(ahead(1));
    await dialog().getByLabel('Last day').fill(ahead(7));
    await looksRight('second day vacation', '[role=dialog]');
    await inDialog('Save changes').click();
    await seesText('The vacations are changed.');
    await desk.page.getByRole('table', { name: 'Vacations' }).getByText('Ahead').waitFor();
    await looksRight('second day away');
    expect(Date.parse(await keepUntil()) - before).toBe(7 * 86_400_000);
  });

  it('takes a returned order back, and sees before what will go', async () => {
    await open(`/accounts/${await idOf('mia')}`);
    await seesText('A coffee a day: 1, before 0');
    await button('Take back').first().click();
    await dialog()
      .getByText(/^This takes 30 back from one mission\. One reward goes\./)
      .waitFor();
    await looksRight('second day return', '[role=dialog]');
    await dialog().getByLabel('Reason').fill('The order came back.');
    await inDialog('Take back').click();
    await seesText('Reversed an event: 30 of it was taken back.');
    const { rows } = await get(`/v1/accounts/${await idOf('mia')}/badges`);
    expect(rows).toMatchObject([{ name: 'A good start' }]);
    expect(rows[0]).not.toHaveProperty('earnedAt');
  });

  it('stops a fraud, and takes back what it sent in a span, after a rehearsal', async () => {
    for (const index of [1, 2, 3]) await order('eve', 60, `eve-${index}`);
    expect(await pointsOf('eve')).toMatchObject({ available: 50 });
    await open(`/accounts/${await idOf('eve')}`);
    await button('Actions').click();
    await desk.page.getByRole('menuitem', { name: 'Suspend the account' }).click();
    await dialog().getByLabel('Reason').fill('A stolen card.');
    await inDialog('Suspend the account').click();
    await desk.page.getByText('Suspended since').waitFor();

    await button('Actions').click();
    await desk.page.getByRole('menuitem', { name: 'Take events back' }).click();
    await dialog()
      .getByText(/^This takes 3 events back\./)
      .waitFor();
    await looksRight('second day span', '[role=dialog]');
    expect(await get(`/v1/accounts/${await idOf('eve')}/statistics`)).toMatchObject({ rows: [{ value: 180 }] });
    await dialog().getByLabel('Reason').fill('A stolen card.');
    await inDialog('Take events back').click();
    await seesText('3 events are taken back.');
    expect(await get(`/v1/accounts/${await idOf('eve')}/statistics`)).toMatchObject({ rows: [{ value: 0 }] });
    await looksRight('second day fraud');
  });

  it('makes one account of the two of one person, and sees it', async () => {
    await order('guest-77', 70, 'guest-77-1');
    const id = await idOf('noah');
    await open(`/accounts/${id}`);
    await button('Actions').click();
    await desk.page.getByRole('menuitem', { name: 'Merge another account into this one' }).click();
    await dialog().getByRole('combobox', { name: 'Other account' }).fill('guest-77');
    await desk.page.getByRole('option', { name: 'guest-77' }).click();
    await dialog().getByText('Both added up').click();
    await seesText('It can be undone for 30 days, until an event, a spending or a reward follows.');
    await inDialog('Merge accounts').click();
    await seesText('The accounts are merged.');
    await open(`/accounts/${id}?tab=statistics`);
    await row('Spent').getByText('90', { exact: true }).waitFor();
    await looksRight('second day merged');
    // The order that makes Silver of the guest comes by the old id.
    await order('guest-77', 15, 'guest-77-2');
    expect(await pointsOf('noah')).toMatchObject({ available: 50 });
    expect(await differencesOf(desk.service.db, desk.service.clientId)).toEqual([]);
  });

  it('makes a weekly league from the template, closes the week, and sees who moved up', async () => {
    const { clientId, db } = desk.service;
    const weekly = { code: 'spent_week', name: 'Spent this week', programmaticCode: 'ORDER' };
    await post('/admin/statistic-definitions', {
      statisticDefinition: { ...weekly, aggregation: 'SUM', period: 'WEEK' },
    });
    await open('/leaderboards');
    await button('New leaderboard').first().click();
    await inDialog('Fill in a weekly league').click();
    await choose('Statistic', 'Spent this week', dialog());
    await inDialog('Add prize').click();
    const prize = dialog().getByRole('group', { name: 'Prize 1' });
    await choose('Rewards', 'Welcome to Silver', prize);
    await choose('For', 'Each group of Bronze', prize);
    await looksRight('second day league', '[role=dialog]');
    await inDialog('Create leaderboard').click();
    await button('Activate').click();
    await inDialog('Activate').click();
    await seesText('Leaderboard Weekly league is active.');
    await order('lea', 30, 'lea-1');
    await order('max', 20, 'max-1');
    await givePlaces(db, clientId);
    await desk.page.reload();
    await row('2').getByText('Bronze').first().waitFor();
    await looksRight('second day groups');
    const period = desk.page.getByRole('table', { name: 'Periods' }).getByRole('row').nth(1);
    await period.locator('[aria-haspopup=menu]').click();
    await desk.page.getByRole('menuitem', { name: 'Close period' }).click();
    await dialog().getByText('1 up, 0 down').waitFor();
    await inDialog('Close period').click();
    await expect.poll(() => dialog().count()).toBe(0);
    await closeRuns(db, clientId, new Date());
    await open(`/accounts/${await idOf('lea')}?tab=statistics`);
    await row('Weekly league').getByText('Bronze, group 1: 1 of').waitFor();
    await looksRight('second day moved');
    expect(await pointsOf('lea')).toMatchObject({ available: 50 });
    expect(await differencesOf(db, clientId)).toEqual([]);
  });
});
