import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { foldDeltas } from '../../../src/leaderboards/ranks/fold-deltas.ts';
import { closeRuns } from '../../../src/leaderboards/runs/close-runs.ts';
import { newTenant, type RestAnswer, restAs, startService, type TestService } from '../../support/service.ts';

type Json = RestAnswer['body'];

const NOBODY = '00000000-0000-4000-8000-000000000000';
const SHARES = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];

let service: TestService;
let now = Date.parse('2026-12-29T12:00:00Z');
let codes = 0;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now) });
});
beforeEach(() => {
  codes += 1;
});
afterAll(() => service.close());

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

type Board = { readonly code: string; readonly id: string };

/** An active leaderboard over a new statistic. */
async function newBoard(board: Json = {}, aggregation = 'SUM'): Promise<Board> {
  const code = `EVENT_${codes}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
  await ok('POST', '/admin/statistic-definitions', {
    statisticDefinition: { code, programmaticCode: code, aggregation, period: 'ALL_TIME' },
  });
  const { id } = await ok('POST', '/admin/leaderboards', {
    leaderboard: { name: code, statisticCode: code, ...board },
  });
  await ok('POST', `/admin/leaderboards/${id}/activate`);
  return { code, id };
}

/** Sends an amount of each account, which are named from 0 on. */
async function send({ code }: Board, amounts: readonly number[]): Promise<void> {
  now += 1_000;
  const triggers = amounts.map((amount, index) => {
    return { programmaticCode: code, accountId: `${code} ${index}`, idType: 'EXTERNAL', metadata: { amount } };
  });
  await ok('POST', '/gamification/triggers/batch', { triggers });
}

async function pathOf({ id }: Board): Promise<string> {
  const { run } = await ok('GET', `/v1/leaderboards/${id}`);
  return `/admin/leaderboards/${id}/runs/${run.id}/distribution`;
}

async function distribution(board: Board): Promise<Json> {
  return ok('GET', await pathOf(board));
}

/** The answer for the values of all accounts, the best first. */
function expected(values: readonly number[]): Json {
  const rows = SHARES.map((topShare) => {
    const accounts = Math.ceil((topShare * 100 * values.length) / 100);
    return { topShare, accounts, value: values[accounts - 1] };
  });
  return { entries: values.length, rows: values.length === 0 ? [] : rows };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const descending = (values: readonly number[]) => values.toSorted((one, other) => other - one);

/** Folds into ranges of few entries. */
const fold = (entriesMax = 4) =>
  foldDeltas(service.db, service.clientId, { arrivalsMax: 4, entriesMax, shareMax: 0, rangesMax: 1_000 });

describe('the distribution of a run', () => {
  test('has the value that is needed for each share of the accounts, before ranges and with them', async () => {
    const board = await newBoard();
    await send(board, upTo(200));
    const all = expected(descending(upTo(200)));
    expect(all.rows[0]).toEqual({ topShare: 0.01, accounts: 2, value: 199 });
    expect(await distribution(board)).toEqual(all);
    for (let round = 0; round < 3; round += 1) await fold();
    expect(await distribution(board)).toEqual(all);
  });

  test('counts what ranges do not have yet', async () => {
    const board = await newBoard();
    await send(board, upTo(40));
    for (let round = 0; round < 3; round += 1) await fold();
    // The worst ones become the best ones, and others come.
    const more = [...Array.from({ length: 10 }, () => 1_000), ...Array.from({ length: 30 }, () => 0.5), 7, 7, 3_000];
    await send(board, more);
    const values = descending(more.map((amount, index) => amount + (index < 40 ? index + 1 : 0)));
    expect(await distribution(board)).toEqual(expected(values));
    await fold();
    expect(await distribution(board)).toEqual(expected(values));
  });

  test('rounds a share up, and has one account for each share of a single account', async () => {
    const board = await newBoard();
    await send(board, [2.5]);
    expect(await distribution(board)).toEqual({
      entries: 1,
      rows: SHARES.map((topShare) => ({ topShare, accounts: 1, value: 2.5 })),
    });
    await send(board, [0.5, 9, 1]);
    const { rows } = await distribution(board);
    expect(rows.map(({ accounts, value }: Json) => [accounts, value])).toEqual([
      ...[1, 1, 1, 1].map((accounts) => [accounts, 9]),
      ...[
        [2, 3],
        [3, 1],
        [3, 1],
      ],
    ]);
  });

  test('of equal values names their value, also where a range has nothing else', async () => {
    const board = await newBoard();
    const values = descending([...Array.from({ length: 60 }, () => 5), ...upTo(40).map((value) => value * 100)]);
    await send(board, values);
    expect(await distribution(board)).toEqual(expected(values));
    for (let round = 0; round < 4; round += 1) await fold(1);
    expect(await distribution(board)).toEqual(expected(values));
    expect((await distribution(board)).rows.slice(-3).map(({ value }: Json) => value)).toEqual([5, 5, 5]);
  });

  test('where the lowest value is the first has the highest value that is enough', async () => {
    const board = await newBoard({ order: 'LOWEST_FIRST' }, 'LAST');
    await send(board, upTo(100));
    const all = expected(upTo(100));
    expect(all.rows.map(({ value }: Json) => value)).toEqual([1, 5, 10, 25, 50, 75, 100]);
    expect(await distribution(board)).toEqual(all);
    for (let round = 0; round < 3; round += 1) await fold();
    expect(await distribution(board)).toEqual(all);
  });

  test('does not count hidden accounts, and is empty without others', async () => {
    const board = await newBoard();
    await send(board, [9, 8]);
    const hide = (index: number) =>
      ok('PUT', `/v1/accounts/${encodeURIComponent(`${board.code} ${index}`)}/visibility`, {
        idType: 'EXTERNAL',
        hidden: true,
      });
    await hide(0);
    expect(await distribution(board)).toEqual(expected([8]));
    await hide(1);
    expect(await distribution(board)).toEqual({ entries: 0, rows: [] });
  });

  test('is final when the run is', async () => {
    const board = await newBoard();
    await send(board, upTo(30));
    const path = await pathOf(board);
    await ok('POST', path.replace('distribution', 'close'), {});
    await closeRuns(service.db, service.clientId, new Date(now));
    await send(board, upTo(30));
    expect(await ok('GET', path)).toEqual(expected(descending(upTo(30))));
  });

  test('is refused for a leaderboard or a run that does not exist, a DRAFT, and another client', async () => {
    const board = await newBoard();
    await send(board, [1]);
    const path = await pathOf(board);
    const refused = async (of: string) => {
      const { status, body } = await service.rest('GET', of);
      return `${status} ${body.code}`;
    };
    const draft = await ok('POST', '/admin/leaderboards', { leaderboard: { name: 'D', statisticCode: board.code } });
    expect(await refused(path.replace(board.id, NOBODY))).toBe('404 LEADERBOARD_NOT_FOUND');
    expect(await refused(path.replace(board.id, draft.id))).toBe('404 LEADERBOARD_NOT_FOUND');
    expect(await refused(path.replace(/[^/]+\/distribution/, `${NOBODY}/distribution`))).toBe(
      '404 LEADERBOARD_RUN_NOT_FOUND',
    );
    expect(await refused(path.replace(board.id, 'board'))).toBe('400 BAD_REQUEST');
    codes += 1;
    const second = await newBoard();
    expect(await refused(path.replace(board.id, second.id))).toBe('404 LEADERBOARD_RUN_NOT_FOUND');
    const stranger = await newTenant(service.db);
    const answer = await restAs(service.baseUrl, stranger)('GET', path);
    expect(`${answer.status} ${answer.body.code}`).toBe('404 LEADERBOARD_NOT_FOUND');
  });
});
