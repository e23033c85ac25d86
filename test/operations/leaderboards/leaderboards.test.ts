import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fillLeaderboards } from '../../../src/leaderboards/entries/fill-leaderboards.ts';
import { foldDeltas } from '../../../src/leaderboards/ranks/fold-deltas.ts';
import { closeRuns } from '../../../src/leaderboards/runs/close-runs.ts';
import { createAudiencesOf } from '../../support/audiences-of.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

const DAY = 86_400_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let now = Date.parse('2026-12-29T12:00:00Z');
let codes = 0;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now), journal: 'byHash' });
});
beforeEach(() => {
  codes += 1;
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

async function refused(method: string, path: string, body?: Json): Promise<string> {
  const { status, body: error } = await service.rest(method, path, body);
  return `${status} ${error.code}: ${error.message}`;
}

/** A statistic over events of a new code. */
async function newStatistic(period = 'ALL_TIME'): Promise<string> {
  const code = `EVENT_${codes}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
  await ok('POST', '/admin/statistic-definitions', {
    statisticDefinition: { code, programmaticCode: code, aggregation: 'SUM', period },
  });
  return code;
}

/** An active leaderboard over a new statistic. */
async function newBoard(
  board: Json = {},
  period = 'ALL_TIME',
): Promise<{ readonly code: string; readonly id: string }> {
  const code = await newStatistic(period);
  const { id } = await ok('POST', '/admin/leaderboards', {
    leaderboard: { name: code, statisticCode: code, ...board },
  });
  await ok('POST', `/admin/leaderboards/${id}/activate`);
  return { code, id };
}

const trigger = (code: string, name: string, amount: number, at = now) => ({
  ...{ programmaticCode: code, accountId: `${code} ${name}`, idType: 'EXTERNAL', metadata: { amount } },
  occurredAt: new Date(at).toISOString(),
});

async function send(code: string, name: string, amount: number, at?: number): Promise<void> {
  now += 1_000;
  await ok('POST', '/gamification/triggers', trigger(code, name, amount, at));
}

async function listed(id: string): Promise<string> {
  const { rows } = await ok('GET', `/v1/leaderboards/${id}/entries/paginated?page=1&limit=100`);
  return (rows as Json[]).map(({ rank, externalId, value }) => `${rank} ${externalId.at(-1)} ${value}`).join(', ');
}

const runOf = async (id: string): Promise<Json> => (await ok('GET', `/v1/leaderboards/${id}`)).run;
const close = () => closeRuns(service.db, service.clientId, new Date(now));

const fill = () => fillLeaderboards(service.db, service.clientId, new Date(now), createAudiencesOf());

describe('a definition', () => {
  test('is created as a DRAFT with defaults, read, listed, changed and deleted', async () => {
    const code = await newStatistic();
    const created = await ok('POST', '/admin/leaderboards', { leaderboard: { name: 'Visits', statisticCode: code } });
    const defaults = { order: 'HIGHEST_FIRST', entriesShown: 100, lateHours: 24, audienceIds: [], prizes: [] };
    expect(created).toMatchObject({ name: 'Visits', status: 'DRAFT', version: 1, filling: false, ...defaults });
    expect(await ok('GET', `/admin/leaderboards/${created.id}`)).toEqual(created);
    const draft = { name: 'Fewest visits', statisticCode: code, order: 'LOWEST_FIRST', lateHours: 0, entriesShown: 3 };
    const changed = await ok('PUT', `/admin/leaderboards/${created.id}`, { version: 1, leaderboard: draft });
    expect(changed).toMatchObject({ ...draft, version: 2 });
    const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'id', value: created.id }] }));
    const list = await ok('GET', `/admin/leaderboards/paginated?page=1&limit=10&filters=${filters}`);
    expect(list).toMatchObject({ rows: [changed], totalRows: 1 });
    await ok('DELETE', `/admin/leaderboards/${created.id}?version=2`);
    expect(await refused('GET', `/admin/leaderboards/${created.id}`)).toContain('404 LEADERBOARD_NOT_FOUND');
  });

  test('names a statistic, audiences, a public attribute and rewards that exist', async () => {
    const code = await newStatistic();
    const { version } = await ok('GET', '/admin/account-attributes');
    const attributes = [
      { name: 'nickname', type: 'STRING' },
      { name: 'birthday', type: 'STRING', personal: true },
      { name: 'age', type: 'NUMBER' },
    ];
    await ok('PUT', '/admin/account-attributes', { version, attributes });
    const tried = async (leaderboard: Json) =>
      refused('POST', '/admin/leaderboards', { leaderboard: { name: 'Visits', statisticCode: code, ...leaderboard } });
    expect(await tried({ statisticCode: 'unknown' })).toContain("400 BAD_REQUEST: leaderboard.statisticCode 'unknown'");
    expect(await tried({ audienceIds: [NOBODY] })).toContain('400 BAD_REQUEST: There is no audience');
    expect(await tried({ displayNameAttribute: 'unknown' })).toContain('is no STRING attribute');
    expect(await tried({ displayNameAttribute: 'age' })).toContain('is no STRING attribute');
    expect(await tried({ displayNameAttribute: 'birthday' })).toContain('is a personal attribute');
    const prize = (prizes: Json) => tried({ prizes: [prizes] });
    expect(await prize({ lastRank: 1, rewardIds: [NOBODY] })).toContain(
      '400 BAD_REQUEST: leaderboard.prizes[0].rewardIds[0]: there is no reward',
    );
    expect(await prize({ rewardIds: [NOBODY] })).toContain('leaderboard.prizes[0] needs either lastRank or topShare');
    expect(await prize({ firstRank: 3, lastRank: 2, rewardIds: [NOBODY] })).toContain('lastRank must be between 3');
    expect(await prize({ firstRank: 0, lastRank: 2, rewardIds: [NOBODY] })).toContain('firstRank must be between 1');
    expect(await prize({ topShare: 1.1, rewardIds: [NOBODY] })).toContain('topShare must be above 0');
    expect(await prize({ lastRank: 1, rewardIds: [] })).toContain('rewardIds must have 1 to 10');
    expect(await prize({ lastRank: 1, rewardIds: [NOBODY, NOBODY] })).toContain('rewardIds must have 1 to 10');
  });

  test('keeps its statistic, order, audiences and lateHours from the activation on', async () => {
    const { code, id } = await newBoard();
    const draft = { name: 'Renamed', statisticCode: code, order: 'LOWEST_FIRST', lateHours: 3 };
    const answer = await refused('PUT', `/admin/leaderboards/${id}`, { version: 2, leaderboard: draft });
    expect(answer).toContain('409 LEADERBOARD_IMMUTABLE');
    expect(answer).toContain('order, lateHours');
    const renamed = { name: 'Renamed', statisticCode: code };
    expect(await ok('PUT', `/admin/leaderboards/${id}`, { version: 2, leaderboard: renamed })).toMatchObject({
      name: 'Renamed',
      version: 3,
    });
    const stale = await refused('PUT', `/admin/leaderboards/${id}`, { version: 2, leaderboard: renamed });
    expect(stale).toContain('409 VERSION_CONFLICT');
  });

  test('is activated and ended once, and then deleted when its runs are closed', async () => {
    const { code, id } = await newBoard();
    expect(await ok('POST', `/admin/leaderboards/${id}/activate`)).toMatchObject({ status: 'ACTIVE', version: 2 });
    expect(await refused('POST', `/admin/leaderboards/${id}/activate?version=1`)).toContain('409 VERSION_CONFLICT');
    await send(code, 'A', 1);
    expect(await refused('DELETE', `/admin/leaderboards/${id}`)).toContain('409 LEADERBOARD_IN_USE: It is in use: the');
    expect(await ok('POST', `/admin/leaderboards/${id}/end`)).toMatchObject({ status: 'ENDED', version: 3 });
    expect(await ok('POST', `/admin/leaderboards/${id}/end`)).toMatchObject({ status: 'ENDED', version: 3 });
    expect(await refused('POST', `/admin/leaderboards/${id}/activate`)).toContain('409 LEADERBOARD_ENDED');
    expect(await refused('DELETE', `/admin/leaderboards/${id}`)).toContain('which is OPEN');
    const run = await runOf(id);
    await ok('POST', `/admin/leaderboards/${id}/runs/${run.id}/close`, {});
    await close();
    await ok('DELETE', `/admin/leaderboards/${id}`);
    expect(await refused('DELETE', `/admin/leaderboards/${id}`)).toContain('404 LEADERBOARD_NOT_FOUND');
    const draft = await ok('POST', '/admin/leaderboards', { leaderboard: { name: 'Draft', statisticCode: code } });
    expect(await refused('POST', `/admin/leaderboards/${draft.id}/end`)).toContain('409 LEADERBOARD_NOT_ACTIVE');
    expect(await refused('GET', `/v1/leaderboards/${draft.id}`)).toContain('404 LEADERBOARD_NOT_FOUND');
    await ok('DELETE', `/admin/leaderboards/${draft.id}`);
  });

  test('keeps its statistic, its audiences and its rewards from being deleted', async () => {
    const { id: audience } = await ok('POST', '/admin/audiences', { name: `A ${codes}`, kind: 'MANUAL' });
    const { id: reward } = await ok('POST', '/admin/rewards', { name: 'Prize', type: 'POINTS', amount: 1 });
    const prizes = [{ lastRank: 1, rewardIds: [reward] }];
    const { code } = await newBoard({ name: `Board ${codes}`, audienceIds: [audience], prizes });
    const { rows } = await ok('GET', `/admin/statistic-definitions/paginated?page=1&limit=1&search=${code}`);
    const use = `leaderboard 'Board ${codes}'`;
    expect(await refused('DELETE', `/admin/statistic-definitions/${rows[0].id}`)).toContain(use);
    expect(await refused('DELETE', `/admin/audiences/${audience}`)).toContain(use);
    expect(await refused('POST', `/admin/rewards/${reward}/archive`)).toContain(use);
  });
});

describe('who is on a board', () => {
  test('accounts with values from before the activation are filled in, in their order', async () => {
    const code = await newStatistic();
    for (const [name, amount] of [
      ['A', 3],
      ['B', 5],
    ] as const)
      await send(code, name, amount);
    const { id } = await ok('POST', '/admin/leaderboards', { leaderboard: { name: code, statisticCode: code } });
    expect(await ok('POST', `/admin/leaderboards/${id}/activate`)).toMatchObject({ filling: true });
    expect(await listed(id)).toBe('');
    await fill();
    expect(await listed(id)).toBe('1 B 5, 2 A 3');
    expect(await ok('GET', `/admin/leaderboards/${id}`)).toMatchObject({ filling: false });
    await send(code, 'A', 4);
    now += 6 * 60_000;
    await fill();
    expect(await listed(id)).toBe('1 A 7, 2 B 5');
  });

  test('an audience is judged by each event, and by the filling', async () => {
    const code = await newStatistic();
    const { id: audience } = await ok('POST', '/admin/audiences', { name: `In ${codes}`, kind: 'MANUAL' });
    await send(code, 'A', 3);
    await send(code, 'B', 5);
    const assign = `/gamification/audiences/${audience}/accounts`;
    const idOf = async (name: string) => (await ok('POST', '/accounts/resolve', { externalId: `${code} ${name}` })).id;
    const [a, b] = [await idOf('A'), await idOf('B')];
    await ok('POST', `${assign}/assign`, { accountIds: [a] });
    const board = { name: code, statisticCode: code, audienceIds: [audience] };
    const { id } = await ok('POST', '/admin/leaderboards', { leaderboard: board });
    await ok('POST', `/admin/leaderboards/${id}/activate`);
    await fill();
    expect(await listed(id)).toBe('1 A 3');
    await ok('POST', `${assign}/assign`, { accountIds: [b] });
    await ok('DELETE', `${assign}/remove`, { accountIds: [a] });
    expect(await listed(id)).toBe('1 A 3');
    await send(code, 'B', 1);
    await send(code, 'A', 9);
    expect(await listed(id)).toBe('1 B 6');
  });

  test('an erased account leaves open runs, and is a gap in final ones', async () => {
    const { code, id } = await newBoard();
    for (const [name, amount] of [
      ['A', 3],
      ['B', 2],
      ['C', 1],
    ] as const)
      await send(code, name, amount);
    await ok('DELETE', `/accounts/${encodeURIComponent(`${code} A`)}?idType=EXTERNAL`);
    expect(await listed(id)).toBe('1 B 2, 2 C 1');
    const run = await runOf(id);
    await ok('POST', `/admin/leaderboards/${id}/runs/${run.id}/close`, {});
    await close();
    await ok('POST', `/accounts/${encodeURIComponent(`${code} B`)}/erase?idType=EXTERNAL`).catch(() => undefined);
    await ok('DELETE', `/accounts/${encodeURIComponent(`${code} B`)}?idType=EXTERNAL`).catch(() => undefined);
    expect(await listed(id)).toBe('2 C 1');
  });

  test('a hidden account has no rank, and says so', async () => {
    const { code, id } = await newBoard();
    await send(code, 'A', 3);
    const account = encodeURIComponent(`${code} A`);
    const visibility = `/v1/accounts/${account}/visibility`;
    expect(await ok('PUT', visibility, { idType: 'EXTERNAL', hidden: true })).toEqual({ hidden: true });
    expect(await ok('PUT', visibility, { idType: 'EXTERNAL', hidden: true })).toEqual({ hidden: true });
    const own = await ok('GET', `/v1/accounts/${account}/leaderboards/${id}?idType=EXTERNAL`);
    expect(own).toMatchObject({ hidden: true, rows: [], entries: 0 });
    expect(await refused('PUT', visibility, { idType: 'EXTERNAL' })).toContain('400 BAD_REQUEST: hidden');
    const unknown = await refused('PUT', `/v1/accounts/${NOBODY}/visibility`, { hidden: true });
    expect(unknown).toContain('404 ACCOUNT_NOT_FOUND');
  });
});

describe('reads', () => {
  test('show the board, pages, ranks of friends, and an account with its neighbours', async () => {
    const { version } = await ok('GET', '/admin/account-attributes');
    await ok('PUT', '/admin/account-attributes', { version, attributes: [{ name: 'nickname', type: 'STRING' }] });
    const { code, id } = await newBoard({ entriesShown: 2, displayNameAttribute: 'nickname' });
    await ok('POST', '/accounts', { externalId: `${code} A`, attributes: { nickname: 'Ada' } });
    for (const [index, name] of ['A', 'B', 'C', 'D', 'E', 'F'].entries()) await send(code, name, 10 - index);
    await send(code, 'G', 8);
    const board = await ok('GET', `/v1/leaderboards/${id}`);
    expect(board).toMatchObject({ leaderboard: { id, status: 'ACTIVE', period: 'ALL_TIME' }, run: { status: 'OPEN' } });
    expect(board.rows).toMatchObject([{ rank: 1, value: 10, displayName: 'Ada' }, { rank: 2 }]);
    expect(board.rows[1].displayName).toBeUndefined();
    const second = await ok('GET', `/v1/leaderboards/${id}/entries/paginated?page=2&limit=3`);
    expect(second.rows.map(({ rank }: Json) => rank)).toEqual([3, 5, 6]);
    expect(second).toMatchObject({ previous: true, next: true, totalRows: 7, totalPages: 3 });
    const accountIds = [`${code} G`, 'nobody', `${code} A`];
    const { rows } = await ok('POST', `/v1/leaderboards/${id}/ranks`, { accountIds, idType: 'EXTERNAL' });
    expect(rows.map(({ externalId, rank }: Json) => [externalId, rank])).toEqual([
      [`${code} A`, 1],
      [`${code} G`, 3],
    ]);
    const account = encodeURIComponent(`${code} G`);
    const own = await ok('GET', `/v1/accounts/${account}/leaderboards/${id}?idType=EXTERNAL&around=2`);
    expect(own).toMatchObject({ entry: { rank: 3, own: true }, entries: 7, hidden: false });
    expect(own.rows.map(({ rank, own: mine }: Json) => [rank, mine])).toEqual([
      [2, undefined],
      [3, undefined],
      [3, true],
      [5, undefined],
      [6, undefined],
    ]);
    const all = await ok('GET', `/v1/accounts/${account}/leaderboards?idType=EXTERNAL`);
    expect(all.rows.find(({ leaderboardId }: Json) => leaderboardId === id)).toMatchObject({ entry: { rank: 3 } });
    const far = await refused('GET', `/v1/leaderboards/${id}/entries/paginated?page=11&limit=1000`);
    expect(far).toContain('400 BAD_REQUEST: `page` times `limit` must be at most 10000');
  });

  test('of a board without events, a run and accounts that do not exist', async () => {
    const { id } = await newBoard();
    const board = await ok('GET', `/v1/leaderboards/${id}`);
    expect(board.rows).toEqual([]);
    expect(board.run).toBeUndefined();
    expect(await ok('GET', `/v1/leaderboards/${id}/runs`)).toEqual({ rows: [] });
    const friends = { accountIds: ['nobody'], idType: 'EXTERNAL' };
    expect(await ok('POST', `/v1/leaderboards/${id}/ranks`, friends)).toEqual({ rows: [] });
    const own = await ok('GET', `/v1/accounts/nobody/leaderboards/${id}?idType=EXTERNAL`);
    expect(own).toMatchObject({ rows: [], entries: 0, hidden: false });
    const runs = `/v1/leaderboards/${id}/runs/${NOBODY}/entries/paginated?page=1&limit=1`;
    expect(await refused('GET', runs)).toContain('404 LEADERBOARD_RUN_NOT_FOUND');
    expect(await refused('GET', `/v1/leaderboards/${NOBODY}`)).toContain('404 LEADERBOARD_NOT_FOUND');
    expect(await refused('GET', `/v1/leaderboards/${id}/runs?cursor=else`)).toContain('400 BAD_REQUEST: `cursor`');
    expect(await refused('GET', `/v1/accounts/${NOBODY}/leaderboards`)).toContain('404 ACCOUNT_NOT_FOUND');
  });
});

describe('a run of a period', () => {
  test('closes after its late hours, pays each prize once, and nothing moves it afterwards', async () => {
    const { id: first } = await ok('POST', '/admin/rewards', { name: 'First', type: 'POINTS', amount: 100 });
    const { id: tenth } = await ok('POST', '/admin/rewards', { name: 'Half', type: 'POINTS', amount: 7 });
    const prizes = [
      { lastRank: 1, rewardIds: [first] },
      { topShare: 0.5, rewardIds: [tenth] },
    ];
    await ok('POST', '/webhooks/endpoints', {
      endpoint: { name: `E ${codes}`, url: 'http://127.0.0.1:9/', types: ['LEADERBOARD_CLOSED'] },
    });
    const { code, id } = await newBoard({ prizes, lateHours: 2 }, 'DAY');
    const noon = now;
    for (const [name, amount] of [
      ['A', 3],
      ['B', 2],
      ['C', 2],
      ['D', 1],
    ] as const)
      await send(code, name, amount);
    const run = await runOf(id);
    now = Math.floor(noon / DAY) * DAY + DAY + 3_600_000;
    await close();
    // One hour after the end a late event still moves the run, and another one begins the run of the next day.
    await send(code, 'D', 9, noon);
    await send(code, 'A', 1);
    now += 3_600_000;
    await close();
    await close();
    const runs = await ok('GET', `/v1/leaderboards/${id}/runs`);
    expect(runs.rows.map(({ status }: Json) => status)).toEqual(['OPEN', 'CLOSED']);
    expect(runs.rows[1]).toMatchObject({ id: run.id, entries: 4, prizesDelivered: 3 });
    await send(code, 'B', 50, noon);
    const path = `/v1/leaderboards/${id}/runs/${run.id}/entries/paginated?page=1&limit=10`;
    const { rows } = await ok('GET', path);
    expect(rows.map(({ externalId, rank }: Json) => `${rank} ${externalId.at(-1)}`)).toEqual([
      '1 D',
      '2 A',
      '3 B',
      '3 C',
    ]);
    const results = async (name: string) => {
      const account = encodeURIComponent(`${code} ${name}`);
      const { rows: own } = await ok('GET', `/v1/accounts/${account}/leaderboards/${id}/runs?idType=EXTERNAL`);
      return own.at(-1);
    };
    const winner = await results('D');
    expect(winner.entry).toMatchObject({ rank: 1, value: 10, own: true });
    expect(winner.prizes.map(({ amount }: Json) => amount).toSorted()).toEqual([100, 7]);
    expect(winner.prizes[0]).toMatchObject({ leaderboardRunId: run.id, status: 'DELIVERED' });
    expect((await results('A')).prizes).toMatchObject([{ amount: 7 }]);
    expect((await results('B')).prizes).toEqual([]);
    const sent = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ data: Json }>(
        `select body::jsonb -> 'data' as data from outbox_message
          where client_id = $1 and body like '%LEADERBOARD_CLOSED%'`,
        [service.clientId],
      ),
    );
    expect(sent).toHaveLength(1);
    expect(sent[0]!.data).toMatchObject({
      leaderboardId: id,
      run: { id: run.id, status: 'CLOSED', periodKey: '2026-12-29' },
      winners: [
        { rank: 1, value: 10, rewardIds: [first, tenth] },
        { rank: 2, value: 3, rewardIds: [tenth] },
      ],
    });
  });

  test('is cancelled with a reason, and then pays nobody', async () => {
    const { id: reward } = await ok('POST', '/admin/rewards', { name: 'First', type: 'POINTS', amount: 100 });
    const { code, id } = await newBoard({ prizes: [{ lastRank: 1, rewardIds: [reward] }] });
    await send(code, 'A', 3);
    const run = await runOf(id);
    const cancel = `/admin/leaderboards/${id}/runs/${run.id}/cancel`;
    expect(await refused('POST', cancel, {})).toContain('400 BAD_REQUEST: reason');
    const reason = 'The rules were wrong.';
    expect(await ok('POST', cancel, { reason })).toMatchObject({
      status: 'CANCELLED',
      cancelReason: reason,
      entries: 1,
    });
    expect(await ok('POST', cancel, { reason: 'Again.' })).toMatchObject({ cancelReason: reason });
    const closing = await refused('POST', `/admin/leaderboards/${id}/runs/${run.id}/close`, {});
    expect(closing).toContain('409 LEADERBOARD_RUN_NOT_OPEN');
    await send(code, 'A', 3);
    await close();
    expect(await listed(id)).toBe('1 A 3');
    expect(await runOf(id)).toMatchObject({ status: 'CANCELLED', prizesDelivered: 0 });
  });

  test('that is closed cannot be cancelled, and a rehearsal changes nothing', async () => {
    const { id: reward } = await ok('POST', '/admin/rewards', { name: 'First', type: 'POINTS', amount: 100 });
    const { code, id } = await newBoard({ prizes: [{ lastRank: 1, rewardIds: [reward] }] });
    await send(code, 'A', 3);
    await send(code, 'B', 3);
    const { id: runId } = await runOf(id);
    const path = `/admin/leaderboards/${id}/runs/${runId}`;
    const rehearsed = await ok('POST', `${path}/close`, { dryRun: true });
    expect(rehearsed).toMatchObject({ winnersTotal: 2, given: [{ rewardId: reward, accounts: 2 }] });
    expect(rehearsed.run.status).toBe('OPEN');
    expect((await ok('POST', `${path}/close`, {})).run.status).toBe('CLOSING');
    expect((await ok('POST', `${path}/close`, {})).run.status).toBe('CLOSING');
    const refusal = await refused('POST', `${path}/cancel`, { reason: 'Too late.' });
    expect(refusal).toContain('409 LEADERBOARD_RUN_NOT_OPEN: The run is CLOSING');
    await close();
    expect(await runOf(id)).toMatchObject({ status: 'CLOSED', prizesDelivered: 2 });
  });

  test('pays a suspended account no prize, and a merged one its survivor', async () => {
    const { id: reward } = await ok('POST', '/admin/rewards', { name: 'All', type: 'POINTS', amount: 5 });
    const { code, id } = await newBoard({ prizes: [{ lastRank: 3, rewardIds: [reward] }] });
    for (const [name, amount] of [
      ['A', 3],
      ['B', 2],
      ['C', 1],
    ] as const)
      await send(code, name, amount);
    const idOf = async (name: string) => (await ok('POST', '/accounts/resolve', { externalId: `${code} ${name}` })).id;
    const [a, b, c] = [await idOf('A'), await idOf('B'), await idOf('C')];
    await ok('POST', `/admin/accounts/${a}/suspend`, { reason: 'It may be a fraud.' });
    const { id: runId } = await runOf(id);
    await ok('POST', `/admin/leaderboards/${id}/runs/${runId}/close`, {});
    await ok('POST', `/accounts/${b}/merge`, { intoAccountId: c, progress: 'MAX' });
    await close();
    expect(await runOf(id)).toMatchObject({ status: 'CLOSED', prizesDelivered: 2, entries: 3 });
    expect((await ok('GET', `/loyalty/accounts/${c}/points`)).available).toBe(10);
    expect((await ok('GET', `/loyalty/accounts/${a}/points`)).available).toBe(0);
    await ok('POST', `/admin/accounts/${a}/resume`, { reason: 'It was none.', events: 'DROP' });
  });
});

test('a reversal waits for no leaderboard on which its account is not', async () => {
  const audienceOf = async (name: string) => {
    const { id: audienceId } = await ok('POST', '/admin/audiences', { name: `${codes} ${name}`, kind: 'MANUAL' });
    const { id } = await ok('POST', '/accounts/resolve', { externalId: `EVENT_${codes} ${name}` });
    await ok('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds: [id] });
    return audienceId as string;
  };
  const { code, id } = await newBoard({ audienceIds: [await audienceOf('A')] });
  const leaderboard = { name: 'Of others', statisticCode: code, audienceIds: [await audienceOf('B')] };
  const other = await ok('POST', '/admin/leaderboards', { leaderboard });
  await ok('POST', `/admin/leaderboards/${other.id}/activate`);
  await send(code, 'A', 5);
  await send(code, 'B', 7);
  await send(code, 'A', 2);
  const [{ id: journalEntryId }] = (await ok('GET', `/admin/journal?programmaticCode=${code}&limit=1`)).rows;
  expect([await listed(id), await listed(other.id)]).toEqual(['1 A 7', '1 B 7']);
  await service.db.unitOfWork(service.clientId, async (uow) => {
    // As its close does.
    await uow.query('select from leaderboard_run where client_id = $1 and leaderboard_id = $2 for update', [
      uow.clientId,
      other.id,
    ]);
    await ok('POST', '/gamification/triggers/reversals', { journalEntryId });
    expect(await listed(id)).toBe('1 A 5');
  });
});

test('a range of several values is split, however many values are shared by more accounts than a range may have', async () => {
  const { code, id } = await newBoard();
  const limits = { arrivalsMax: 1, entriesMax: 1, shareMax: 0, rangesMax: 1_000 };
  const sendAll = (amounts: readonly number[], round: number) =>
    ok('POST', '/gamification/triggers/batch', {
      triggers: amounts.map((amount, index) => trigger(code, `${round} ${index}`, amount)),
    });
  const fold = () => foldDeltas(service.db, service.clientId, limits);
  await sendAll(
    Array.from({ length: 80 }, (_, index) => 1 + Math.floor(index / 2)),
    0,
  );
  // A fold makes the ranges, and the next ones continue with the splits.
  for (let round = 1; round <= 6; round += 1) {
    await fold();
    await sendAll([100 + round], round);
  }
  await fold();
  const { id: runId } = await runOf(id);
  const ranges = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ large: number; divisible: number }>(
      `select count(*) filter (where entries > 1)::int as large,
              count(*) filter (where entries > 1 and next is distinct from lower + 1)::int as divisible
         from (select lower, entries, lead(lower) over (order by lower) as next
                 from leaderboard_range where client_id = $1 and run_id = $2) g`,
      [service.clientId, runId],
    ),
  );
  expect(ranges).toEqual([{ large: 40, divisible: 0 }]);
});

test('many accounts with equal and different values have the ranks that counting gives, while ranges are split and joined', async () => {
  const { code, id } = await newBoard();
  const limits = { arrivalsMax: 4, entriesMax: 4, shareMax: 0, rangesMax: 6 };
  const values = new Map<string, number>();
  for (let round = 0; round < 6; round += 1) {
    const triggers = Array.from({ length: 60 }, (_, index) => {
      const name = `${(index * 7 + round) % 40}`;
      // Most accounts share few values.
      const amount = index % 3 === 0 ? 1 + index : 5;
      values.set(name, (values.get(name) ?? 0) + amount);
      return trigger(code, name, amount);
    });
    await ok('POST', '/gamification/triggers/batch', { triggers });
    if (round % 2 === 1) await foldDeltas(service.db, service.clientId, limits);
    const { rows } = await ok('GET', `/v1/leaderboards/${id}/entries/paginated?page=1&limit=100`);
    const all = [...values.values()];
    const ranks = Object.fromEntries(
      rows.map(({ externalId, rank }: Json) => [externalId.replace(`${code} `, ''), rank]),
    );
    const expected = [...values].map(([name, value]) => [name, 1 + all.filter((each) => each > value).length]);
    expect(ranks).toEqual(Object.fromEntries(expected));
    const accountIds = [...values.keys()].map((name) => `${code} ${name}`);
    const asked = await ok('POST', `/v1/leaderboards/${id}/ranks`, { accountIds, idType: 'EXTERNAL' });
    expect(asked.rows.map(({ rank }: Json) => rank)).toEqual(rows.map(({ rank }: Json) => rank));
    const last = await ok('GET', `/v1/leaderboards/${id}/entries/paginated?page=2&limit=10`);
    expect(last.rows.map(({ rank }: Json) => rank)).toEqual(rows.slice(10, 20).map(({ rank }: Json) => rank));
  }
  const ranges = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ count: number }>('select count(*)::int as count from leaderboard_range where client_id = $1', [
      service.clientId,
    ]),
  );
  expect(ranges[0]!.count).toBeGreaterThan(3);
});
