// docs/leaderboards.md has tables of boards and prizes; each row is played through the service.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givePlaces } from '../../../src/leaderboards/leagues/give-places.ts';
import { storeLeagues } from '../../../src/leaderboards/leagues/places.queries.ts';
import { foldDeltas } from '../../../src/leaderboards/ranks/fold-deltas.ts';
import { closeRuns } from '../../../src/leaderboards/runs/close-runs.ts';
import { pageTables } from '../../support/page-tables.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

const page = readFileSync(new URL('../../../docs/leaderboards.md', import.meta.url), 'utf8');
const tables = pageTables(page);

/** The rows of the table whose last column has this name. */
function rowsOf(column: string): string[][] {
  return tables.filter(([head]) => head!.at(-1) === column).flatMap(([, , ...cells]) => cells);
}

const boards = rowsOf('Listed as').map(([statistic, order, steps, listed]) => ({
  ...{ statistic: statistic!, order: order!, steps: steps!, listed: listed! },
}));
const prizes = rowsOf('Winners').map(([values, prize, winners]) => ({
  ...{ values: values!, prize: prize!.replaceAll('`', ''), winners: winners! },
}));

const distributions = rowsOf('100 %').map(([values, order, ...needed]) => ({
  ...{ values: values!, order: order!, needed: needed.map(Number) },
}));

const groups = rowsOf('Groups').map(([size, appear, expected]) => ({
  ...{ size: Number(size), appear: appear!, expected: expected! },
}));
const moves = rowsOf('Down').map(([league, values, promoted, relegated, up, down]) => ({
  ...{
    league: league!,
    values: values!,
    promoted: Number(promoted),
    relegated: Number(relegated),
    up: up!,
    down: down!,
  },
}));
const leagues = rowsOf('Leagues then').map(([steps, expected]) => ({ steps: steps!, expected: expected! }));

let service: TestService;
let now = Date.parse('2026-12-29T12:00:00Z');
let codes = 0;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now), journal: 'byHash' });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** A new event, a statistic over it and an active leaderboard over that. */
async function newBoard(
  aggregation: string,
  board: Json,
  period = 'ALL_TIME',
): Promise<{ readonly code: string; readonly id: string }> {
  codes += 1;
  const code = `EVENT_${codes}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
  await ok('POST', '/admin/statistic-definitions', {
    statisticDefinition: { code, programmaticCode: code, aggregation, period },
  });
  const { id } = await ok('POST', '/admin/leaderboards', {
    leaderboard: { name: code, statisticCode: code, ...board },
  });
  await ok('POST', `/admin/leaderboards/${id}/activate`);
  return { code, id };
}

async function send(code: string, account: string, amount: number, at?: number): Promise<string> {
  now += 1_000;
  const occurredAt = new Date(at ?? now).toISOString();
  const trigger = { programmaticCode: code, accountId: account, idType: 'EXTERNAL', metadata: { amount }, occurredAt };
  await ok('POST', '/gamification/triggers', trigger);
  const { rows } = await ok('GET', `/admin/journal?programmaticCode=${code}&limit=1`);
  return rows[0].id;
}

async function listed(id: string, code: string): Promise<string> {
  const { rows } = await ok('GET', `/v1/leaderboards/${id}/entries/paginated?page=1&limit=100`);
  return (rows as Json[]).map(({ rank, externalId }) => `${rank} ${externalId.replace(`${code} `, '')}`).join(', ');
}

test.each(boards)('$statistic $order: $steps', async ({ statistic, order, steps, listed: expected }) => {
  const { code, id } = await newBoard(statistic, { order });
  const events = new Map<string, string>();
  for (const step of steps.split(', ')) {
    const [, verb = '', name, amount] = /^(-|hide |show )?([A-Z])(?: (\d+))?$/.exec(step)!;
    const account = `${code} ${name}`;
    if (verb === '-') {
      now += 1_000;
      await ok('POST', '/gamification/triggers/reversals', { journalEntryId: events.get(`${name} ${amount}`) });
    } else if (amount === undefined)
      await ok('PUT', `/v1/accounts/${encodeURIComponent(account)}/visibility`, {
        idType: 'EXTERNAL',
        hidden: verb === 'hide ',
      });
    else events.set(`${name} ${amount}`, await send(code, account, Number(amount)));
  }
  expect(await listed(id, code)).toBe(expected);
  await foldDeltas(service.db, service.clientId);
  expect(await listed(id, code)).toBe(expected);
});

describe('the prizes of a closed run', () => {
  test.each(prizes)('$values: $prize', async ({ values, prize, winners }) => {
    const { id: rewardId } = await ok('POST', '/admin/rewards', { name: 'Prize', type: 'POINTS', amount: 1 });
    const draft = Object.fromEntries(
      prize.split(', ').map((part) => {
        const [name, value] = part.split(' ');
        return [name, name === 'ties' ? value : Number(value)];
      }),
    );
    const { code, id } = await newBoard('SUM', { prizes: [{ ...draft, rewardIds: [rewardId] }] });
    // An account that leaves the board makes its run exist, also for a board without entries.
    const first = await send(code, `${code} Z`, 1);
    await ok('POST', '/gamification/triggers/reversals', { journalEntryId: first });
    const names = values === '' ? [] : values.split(', ').map((value, index) => [value, 'ABCDEFGH'[index]!] as const);
    for (const [value, name] of names) await send(code, `${code} ${name}`, Number(value));
    const { run } = await ok('GET', `/v1/leaderboards/${id}`);
    const rehearsed = await ok('POST', `/admin/leaderboards/${id}/runs/${run.id}/close`, { dryRun: true });
    const expected = winners === '' ? [] : winners.split(', ');
    const nameOf = ({ externalId }: Json) => externalId.replace(`${code} `, '');
    expect(rehearsed.winners.map(({ entry }: Json) => nameOf(entry))).toEqual(expected);
    await ok('POST', `/admin/leaderboards/${id}/runs/${run.id}/close`, {});
    await closeRuns(service.db, service.clientId, new Date(now));
    const paid = [];
    for (const [, name] of names) {
      const path = `/v1/accounts/${encodeURIComponent(`${code} ${name}`)}/leaderboards/${id}/runs?idType=EXTERNAL`;
      const { rows } = await ok('GET', path);
      if (rows[0].prizes.length > 0) paid.push(name);
    }
    expect(paid).toEqual(expected);
    const closed = (await ok('GET', `/v1/leaderboards/${id}/runs`)).rows[0];
    expect(closed).toMatchObject({ status: 'CLOSED', entries: names.length, prizesDelivered: expected.length });
  });
});

test.each(distributions)('the distribution of $values, $order', async ({ values, order, needed }) => {
  const { code, id } = await newBoard('SUM', { order });
  for (const [index, value] of values.split(', ').entries()) await send(code, `${code} ${index}`, Number(value));
  const { run } = await ok('GET', `/v1/leaderboards/${id}`);
  const { rows } = await ok('GET', `/admin/leaderboards/${id}/runs/${run.id}/distribution`);
  const shown = (rows as Json[]).filter(({ topShare }) => [0.01, 0.25, 0.5, 0.75, 1].includes(topShare));
  expect(shown.map(({ value }) => value)).toEqual(needed);
});

const NAMES = ['Bronze', 'Silver', 'Gold'];
const DAY = 86_400_000;
/** From noon into the day before; older events are refused. */
const YESTERDAY = 20 * 3_600_000;
const give = () => givePlaces(service.db, service.clientId);

/** A new day, at noon, with all runs of the days before closed. */
async function nextDay(): Promise<void> {
  now = (Math.floor(now / DAY) + 1) * DAY + DAY / 2;
  await closeRuns(service.db, service.clientId, new Date(now));
}

async function placeOf(id: string, account: string): Promise<Json> {
  const path = `/v1/accounts/${encodeURIComponent(account)}/leaderboards/${id}?idType=EXTERNAL`;
  return (await ok('GET', path)).place;
}

async function showHidden(account: string, hidden: boolean): Promise<void> {
  await ok('PUT', `/v1/accounts/${encodeURIComponent(account)}/visibility`, { idType: 'EXTERNAL', hidden });
}

test.each(groups)('the groups of $size: $appear', async ({ size, appear, expected }) => {
  const leaguesOfBoard = { names: NAMES, groupSize: size, promoted: 1, relegated: 1 };
  const { code, id } = await newBoard('SUM', { leagues: leaguesOfBoard }, 'DAY');
  const sent = new Map<string, string>();
  for (const step of appear.split(', ')) {
    const [, verb = '', name] = /^(-|hide )?([A-Z])$/.exec(step)!;
    const account = `${code} ${name}`;
    if (verb === 'hide ') await showHidden(account, true);
    else if (verb === '-') await ok('POST', '/gamification/triggers/reversals', { journalEntryId: sent.get(account) });
    else sent.set(account, await send(code, account, 5));
    await give();
  }
  const names = [...sent.keys()];
  for (const name of names) await showHidden(name, false);
  const found = new Map<number, string[]>();
  for (const account of names) {
    const { group } = await placeOf(id, account);
    found.set(group, [...(found.get(group) ?? []), account.at(-1)!]);
  }
  const shown = [...found].toSorted(([one], [other]) => one - other).map(([, members]) => members.join(' '));
  expect(shown.join(', ')).toBe(expected);
});

test.each(moves)('$league $values: $promoted up, $relegated down', async (row) => {
  const { league, values, promoted, relegated } = row;
  const size = { groupSize: 6, promoted, relegated };
  const { code, id } = await newBoard('SUM', { leagues: { names: NAMES, ...size } }, 'DAY');
  const from = NAMES.indexOf(league) + 1;
  const accounts = values.split(', ').map((_, index) => `${code} ${'ABCDEF'[index]}`);
  const ids: string[] = [];
  for (const externalId of accounts) {
    // The first event makes the account.
    await send(code, externalId, 1, now - YESTERDAY);
    ids.push((await ok('POST', '/accounts/resolve', { externalId })).id);
  }
  await service.db.unitOfWork(service.clientId, (uow) =>
    storeLeagues(uow, id, new Map(ids.map((each) => [each, from]))),
  );
  for (const [index, value] of values.split(', ').entries()) await send(code, accounts[index]!, Number(value));
  await give();
  const { run } = await ok('GET', `/v1/leaderboards/${id}`);
  const rehearsed = await ok('POST', `/admin/leaderboards/${id}/runs/${run.id}/close`, { dryRun: true });
  await nextDay();
  const moved = { up: [] as string[], down: [] as string[] };
  for (const account of accounts) {
    const { league: now } = await placeOf(id, account);
    if (now > from) moved.up.push(account.at(-1)!);
    if (now < from) moved.down.push(account.at(-1)!);
    const path = `/v1/accounts/${encodeURIComponent(account)}/leaderboards/${id}/runs?idType=EXTERNAL`;
    const [{ place }] = (await ok('GET', path)).rows;
    const outcome = now > from ? 'PROMOTED' : now < from ? 'RELEGATED' : 'KEPT';
    expect(place).toMatchObject({ league: from, leagueName: league, group: 1, entries: accounts.length, outcome });
  }
  expect({ up: moved.up.join(', '), down: moved.down.join(', ') }).toEqual({ up: row.up, down: row.down });
  const counts = { promoted: moved.up.length, relegated: moved.down.length };
  expect(rehearsed).toMatchObject(counts);
  expect((await ok('GET', `/v1/leaderboards/${id}/runs`)).rows[0]).toMatchObject({ status: 'CLOSED', ...counts });
});

test.each(leagues)('leagues after $steps', async ({ steps, expected }) => {
  const size = { groupSize: 3, promoted: 1, relegated: 1 };
  const { code, id } = await newBoard('SUM', { leagues: { names: NAMES, ...size } }, 'DAY');
  const events = new Map<string, string>();
  const present = new Set<string>();
  const pathOf = (name: string) => `/accounts/${encodeURIComponent(`${code} ${name}`)}`;
  for (const step of steps.split(', ')) {
    const [first, name = '', amount = ''] = step.replace(/^-/, '- ').split(' ');
    const account = `${code} ${name}`;
    const runPath = async () => `/admin/leaderboards/${id}/runs/${(await ok('GET', `/v1/leaderboards/${id}`)).run.id}`;
    now += 1_000;
    if (step === 'next day') await nextDay();
    else if (step === 'end') await ok('POST', `/admin/leaderboards/${id}/end`);
    else if (step === 'cancel') await ok('POST', `${await runPath()}/cancel`, { reason: 'It was a test.' });
    else if (step === 'close') await ok('POST', `${await runPath()}/close`, {});
    else if (first === '-')
      await ok('POST', '/gamification/triggers/reversals', { journalEntryId: events.get(`${name} ${amount}`) });
    else if (first === 'hide') await showHidden(account, true);
    else if (first === 'late') await send(code, account, Number(amount), now - YESTERDAY);
    else if (first === 'delete') {
      await ok('DELETE', `${pathOf(name)}?idType=EXTERNAL`);
      present.delete(name);
    } else if (first === 'merge') {
      const merge = { intoAccountId: `${code} ${amount}`, idType: 'EXTERNAL', progress: 'SUM' };
      await ok('POST', `${pathOf(name)}/merge`, merge);
      present.delete(name);
    } else {
      present.add(first!);
      events.set(step, await send(code, `${code} ${first}`, Number(name)));
    }
    await give();
  }
  await nextDay();
  const found = [];
  for (const name of [...present].toSorted())
    found.push(`${(await placeOf(id, `${code} ${name}`)).leagueName} ${name}`);
  expect(found.join(', ')).toBe(expected);
});
