import { describe, expect, it } from 'vitest';
import { closeRuns } from '../../src/leaderboards/runs/close-runs.ts';
import { givePlaces } from '../../src/leaderboards/leagues/give-places.ts';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, inDialog, button } = desk;

const row = (text: string) => desk.page.getByRole('row').filter({ hasText: text });
const dialog = () => desk.page.getByRole('dialog');

/** A statistic over events with amounts, with a value for each account. */
async function newStatistic(code: string, values: Readonly<Record<string, number>> = {}): Promise<void> {
  const programmaticCode = code.toUpperCase();
  await post('/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const definition = { code, name: `Sum of ${code}`, programmaticCode, aggregation: 'SUM', period: 'MONTH' };
  await post('/admin/statistic-definitions', { statisticDefinition: definition });
  await send(code, values);
}

async function send(code: string, values: Readonly<Record<string, number>>): Promise<void> {
  for (const [accountId, amount] of Object.entries(values)) {
    const event = { programmaticCode: code.toUpperCase(), accountId, idType: 'EXTERNAL', metadata: { amount } };
    await post('/gamification/triggers', event);
  }
}

/** An active leaderboard over a new statistic, with these values. */
async function newBoard(code: string, fields: object, values: Readonly<Record<string, number>>): Promise<string> {
  await newStatistic(code);
  const { id } = await post('/admin/leaderboards', { leaderboard: { name: code, statisticCode: code, ...fields } });
  await post(`/admin/leaderboards/${id}/activate`);
  await send(code, values);
  return id;
}

async function chooseIn(field: string, option: string): Promise<void> {
  await dialog().getByRole('combobox', { name: field }).click();
  await desk.page.getByRole('option', { name: option }).click();
}

async function chooseInMenu(menu: string, item: string): Promise<void> {
  await desk.page.getByRole('button', { name: menu }).click();
  await desk.page.getByRole('menuitem', { name: item }).click();
}

describe('The pages of leaderboards', () => {
  it('create a leaderboard with prizes, change it, activate it, end it and delete it', async () => {
    await newStatistic('runs');
    const { id: medal } = await post('/admin/rewards', { name: 'Medal of runs', type: 'BADGE', amount: 1 });
    const { id: audience } = await post('/admin/audiences', { name: 'Runners', kind: 'EVERYONE' });
    await open('/leaderboards');
    await button('New leaderboard').first().click();
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Runs of the month');
    await chooseIn('Statistic', 'Sum of runs');
    await chooseIn('Order', 'Lowest value first');
    await chooseIn('Audiences', 'Runners');
    await desk.page.keyboard.press('Escape');
    await inDialog('Add prize').click();
    const first = dialog().getByRole('group', { name: 'Prize 1' });
    await first.getByRole('textbox', { name: 'Last rank' }).fill('3');
    await first.getByRole('combobox', { name: 'Rewards' }).click();
    await desk.page.getByRole('option', { name: 'Medal of runs' }).click();
    await inDialog('Add prize').click();
    const second = dialog().getByRole('group', { name: 'Prize 2' });
    await second.getByRole('combobox', { name: 'Up to' }).click();
    await desk.page.getByRole('option', { name: 'A share of all entries' }).click();
    await second.getByRole('textbox', { name: 'First share' }).fill('12.5');
    await second.getByRole('combobox', { name: 'Rewards' }).click();
    await desk.page.getByRole('option', { name: 'Medal of runs' }).last().click();
    await inDialog('Create leaderboard').click();
    await desk.page.waitForURL(/\/leaderboards\/[0-9a-f-]{36}/);
    const id = new URL(desk.page.url()).pathname.split('/').at(-1);
    const stored = () => ok(desk.service.rest('GET', `/admin/leaderboards/${id}`));
    expect(await stored()).toMatchObject({
      ...{ name: 'Runs of the month', status: 'DRAFT', statisticCode: 'runs', order: 'LOWEST_FIRST' },
      ...{ audienceIds: [audience], entriesShown: 100, lateHours: 24 },
      prizes: [
        { firstRank: 1, lastRank: 3, rewardIds: [medal] },
        { firstRank: 4, topShare: 0.125, rewardIds: [medal] },
      ],
    });
    await desk.seesText('Prize 2: ranks 4 to 12.5% of all');
    await button('Activate').click();
    await inDialog('Activate').click();
    await desk.seesText('Leaderboard Runs of the month is active.');
    await button('Edit').click();
    expect(await dialog().getByRole('combobox', { name: 'Statistic' }).isDisabled()).toBe(true);
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Fewest runs');
    await inDialog('Save changes').click();
    await desk.page.getByRole('heading', { name: 'Fewest runs' }).waitFor();
    await chooseInMenu('Actions for Fewest runs', 'End');
    await inDialog('End').click();
    await desk.seesText('Leaderboard Fewest runs is ended.');
    expect(await stored()).toMatchObject({ name: 'Fewest runs', status: 'ENDED', audienceIds: [audience] });
    await chooseInMenu('Actions for Fewest runs', 'Delete');
    await inDialog('Delete').click();
    await desk.page.waitForURL(/\/leaderboards(\?|$)/);
    await expect.poll(() => row('Fewest runs').count()).toBe(0);
    expect(await desk.service.rest('GET', `/admin/leaderboards/${id}`)).toMatchObject({ status: 404 });
  });

  it('show a refusal beside its field', async () => {
    await newStatistic('swims');
    await post('/admin/rewards', { name: 'Medal of swims', type: 'BADGE', amount: 1 });
    await open('/leaderboards');
    await button('New leaderboard').first().click();
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Swims');
    await chooseIn('Statistic', 'Sum of swims');
    await inDialog('Add prize').click();
    const prize = dialog().getByRole('group', { name: 'Prize 1' });
    await inDialog('Create leaderboard').click();
    await prize.getByText('Choose at least 1.').waitFor();
    await prize.getByRole('combobox', { name: 'Rewards' }).click();
    await desk.page.getByRole('option', { name: 'Medal of swims' }).click();
    await prize.getByRole('textbox', { name: 'From rank' }).fill('5');
    await prize.getByRole('textbox', { name: 'Last rank' }).fill('3');
    await inDialog('Create leaderboard').click();
    await prize.getByText('must be between 5, the first rank').waitFor();
    expect(await dialog().getByRole('textbox', { name: 'Last rank' }).getAttribute('aria-invalid')).toBe('true');
  });

  it('show the ranks of a period, who would get what, and close it', async () => {
    const { id: medal } = await post('/admin/rewards', { name: 'Medal of rides', type: 'BADGE', amount: 1 });
    const prizes = [{ lastRank: 2, rewardIds: [medal] }];
    const id = await newBoard('rides', { prizes }, { 'rider-a': 5, 'rider-b': 9, 'rider-c': 7 });
    await open(`/leaderboards/${id}`);
    const ranks = desk.page.getByRole('table', { name: /^Ranks/ });
    await ranks.getByRole('row').filter({ hasText: 'rider-b' }).waitFor();
    expect((await ranks.getByRole('row').allInnerTexts()).map((text) => /rider-\w/.exec(text)?.[0])).toEqual([
      undefined,
      'rider-b',
      'rider-c',
      'rider-a',
    ]);
    const period = desk.page.getByRole('table', { name: 'Periods' }).getByRole('row').nth(1);
    await period.locator('[aria-haspopup=menu]').click();
    await desk.page.getByRole('menuitem', { name: 'Close period' }).click();
    await dialog().getByText('2 accounts get prizes').waitFor();
    await dialog().getByText('Medal of rides: 2 times').waitFor();
    await dialog().getByRole('row').filter({ hasText: 'rider-c' }).waitFor();
    expect(await dialog().getByRole('row').filter({ hasText: 'rider-a' }).count()).toBe(0);
    await inDialog('Close period').click();
    await period.getByText(/Delivers prizes|Closed/).waitFor();
    expect((await ok(desk.service.rest('GET', `/v1/leaderboards/${id}/runs`))).rows).toMatchObject([
      { status: expect.stringMatching(/^CLOS/), entries: 3 },
    ]);
  });

  it('show the ranks by page, and find an account with its neighbours', async () => {
    const players = Array.from({ length: 27 }, (_, place) => [
      `player-${String(place + 1).padStart(2, '0')}`,
      100 - place,
    ]);
    const id = await newBoard('plays', {}, Object.fromEntries(players) as Record<string, number>);
    await open(`/leaderboards/${id}`);
    const ranks = desk.page.getByRole('table', { name: /^Ranks/ });
    const shown = async () =>
      (await ranks.getByRole('row').allInnerTexts()).flatMap((text) => /player-\d+/.exec(text)?.[0] ?? []);
    await desk.seesText('1–25 of 27');
    expect(await shown()).toHaveLength(25);
    await button('Page 2').click();
    await row('player-27').waitFor();
    expect(await shown()).toEqual(['player-26', 'player-27']);
    await desk.page.getByRole('combobox', { name: 'Find an account' }).fill('player-20');
    await desk.page.getByRole('option', { name: 'player-20' }).click();
    await desk.seesText('player-20 has rank 20 of 27.');
    await row('player-25').waitFor();
    expect(await shown()).toEqual(Array.from({ length: 11 }, (_, place) => `player-${place + 15}`));
    await button('All ranks').click();
    await row('player-01').waitFor();
  });

  it('show which value is needed for each share of the accounts, and nothing without accounts', async () => {
    const sailors = Array.from({ length: 20 }, (_, place) => [`sailor-${place}`, 1_000 * (20 - place)]);
    const id = await newBoard('sails', {}, Object.fromEntries(sailors) as Record<string, number>);
    await open(`/leaderboards/${id}`);
    const distribution = desk.page.getByRole('table', { name: 'Distribution' });
    await distribution.getByText('20,000').first().waitFor();
    const rows = await distribution.getByRole('row').allInnerTexts();
    expect(rows.map((text) => text.trim().split(/\s*\t\s*/))).toEqual([
      ['The best', 'Accounts', 'Have at least'],
      ...[
        ['1%', '1', '20,000'],
        ['5%', '1', '20,000'],
        ['10%', '2', '19,000'],
        ['25%', '5', '16,000'],
        ['50%', '10', '11,000'],
        ['75%', '15', '6,000'],
        ['100%', '20', '1,000'],
      ],
    ]);
    const lone = await newBoard('rafts', { order: 'LOWEST_FIRST' }, { 'rafter-a': 5 });
    await open(`/leaderboards/${lone}`);
    await distribution.getByRole('columnheader', { name: 'Have at most' }).waitFor();
    await ok(desk.service.rest('PUT', '/v1/accounts/rafter-a/visibility', { idType: 'EXTERNAL', hidden: true }));
    await desk.page.reload();
    await desk.seesText('Nobody has a value in this period yet.');
    await expect.poll(() => distribution.count()).toBe(0);
  });

  it('cancel a period with a reason, which they show', async () => {
    const id = await newBoard('hikes', {}, { 'hiker-a': 5 });
    await open(`/leaderboards/${id}`);
    const period = desk.page.getByRole('table', { name: 'Periods' }).getByRole('row').nth(1);
    await period.locator('[aria-haspopup=menu]').click();
    await desk.page.getByRole('menuitem', { name: 'Cancel period' }).click();
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('A step counter was shaken.');
    await inDialog('Cancel period').click();
    await period.getByText('A step counter was shaken.').waitFor();
    await period.getByText('Cancelled').waitFor();
  });

  it('fill in a weekly league, keep it when the draft is edited, and show the ranks of one group', async () => {
    await newStatistic('climbs');
    await open('/leaderboards');
    await button('New leaderboard').first().click();
    await inDialog('Fill in a weekly league').click();
    await chooseIn('Statistic', 'Sum of climbs');
    await dialog().getByRole('textbox', { name: 'Accounts of a group' }).fill('2');
    await dialog().getByRole('textbox', { name: 'Move up' }).fill('1');
    await dialog().getByRole('textbox', { name: 'Move down' }).fill('1');
    await inDialog('Create leaderboard').click();
    await desk.page.waitForURL(/\/leaderboards\/[0-9a-f-]{36}/);
    const id = new URL(desk.page.url()).pathname.split('/').at(-1) ?? '';
    await button('Edit').click();
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('League of the month');
    await inDialog('Save changes').click();
    await desk.page.getByRole('heading', { name: 'League of the month' }).waitFor();
    const leagues = { names: ['Bronze', 'Silver', 'Gold', 'Diamond'], groupSize: 2, promoted: 1, relegated: 1 };
    expect(await ok(desk.service.rest('GET', `/admin/leaderboards/${id}`))).toMatchObject({ lateHours: 0, leagues });
    await post(`/admin/leaderboards/${id}/activate`);
    await send('climbs', { 'climber-a': 5, 'climber-b': 9, 'climber-c': 7 });
    await givePlaces(desk.service.db, desk.service.clientId);
    await open(`/leaderboards/${id}`);
    const league = desk.page.getByRole('table', { name: 'Leagues' }).getByRole('row').filter({ hasText: 'Bronze' });
    await league.filter({ hasText: '3' }).waitFor();
    await desk.page.getByRole('combobox', { name: 'League' }).click();
    await desk.page.getByRole('option', { name: 'Bronze' }).click();
    await desk.page.getByRole('textbox', { name: 'Group of 2' }).fill('2');
    const ranks = desk.page.getByRole('table', { name: /^Ranks/ });
    await expect.poll(() => ranks.getByRole('row').count()).toBe(2);
  });
});

describe('The page of an account', () => {
  it('shows its rank on each leaderboard, hides it there, and shows it again', async () => {
    const id = await newBoard('walks', { name: 'Walks' }, { 'walker-a': 9, 'walker-b': 12 });
    const { rows } = await ok(desk.service.rest('GET', `/v1/leaderboards/${id}`));
    const walker = rows[1].accountId;
    await open(`/accounts/${walker}?tab=statistics`);
    const board = desk.page.getByRole('table', { name: 'Leaderboards' }).getByRole('row').filter({ hasText: 'Walks' });
    await board.getByRole('cell', { name: '2', exact: true }).waitFor();
    expect(await board.getByRole('link', { name: 'Walks' }).getAttribute('href')).toContain(id);
    const hidden = desk.page.getByRole('switch', { name: 'Hidden from leaderboards' });
    await hidden.click();
    await board.getByText('none').waitFor();
    expect((await ok(desk.service.rest('GET', `/v1/leaderboards/${id}`))).rows).toMatchObject([
      { externalId: 'walker-b' },
    ]);
    await hidden.click();
    await board.getByRole('cell', { name: '2', exact: true }).waitFor();
  });

  it('shows its results in all periods, with its prizes', async () => {
    const { id: medal } = await post('/admin/rewards', { name: 'Medal of rows', type: 'BADGE', amount: 1 });
    const prizes = [{ lastRank: 1, rewardIds: [medal] }];
    const id = await newBoard('rows', { name: 'Rows', prizes }, { 'rower-a': 9, 'rower-b': 12 });
    const { run, rows } = await ok(desk.service.rest('GET', `/v1/leaderboards/${id}`));
    await post(`/admin/leaderboards/${id}/runs/${run.id}/close`);
    await closeRuns(desk.service.db, desk.service.clientId, new Date());
    await open(`/accounts/${rows[0].accountId}?tab=statistics`);
    await chooseInMenu('Actions for Rows', 'Results');
    const result = dialog().getByRole('row').filter({ hasText: 'Medal of rows' });
    await result.getByText('1 of 2').waitFor();
    await result.getByText('Closed').waitFor();
  });
});
