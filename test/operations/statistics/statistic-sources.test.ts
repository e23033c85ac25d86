// Statistics of points and missions: docs/statistics.md has a table, each row is played through the service. Then what reads them.
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { closeRuns } from '../../../src/leaderboards/runs/close-runs.ts';
import { deleteOldEvents } from '../../../src/statistics/values/delete-old-events.ts';
import { pageTables } from '../../support/page-tables.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

const page = readFileSync(new URL('../../../docs/statistics.md', import.meta.url), 'utf8');

/** The rows of the table of sources, with their cells. */
const rows = pageTables(page)
  .filter(([head]) => head![1] === 'POINTS')
  .flatMap(([, , ...cells]) => cells)
  .map(([steps, points, missions]) => ({ steps: steps!, points: Number(points), missions: Number(missions) }));

let service: TestService;
let audienceId: string;
let campaigns: Readonly<Record<string, string>>;
let gift: string;
/** The leaderboards over points and missions, both of all time, and the one with a prize. */
let boards: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startService({ journal: 'byHash' });
  const { version, name, timeZone } = await ok('GET', `/admin/clients/${service.clientId}`);
  const streaks = { freezesMax: 9, freezePrice: 4 };
  await ok('PUT', `/admin/clients/${service.clientId}`, { version, name, timeZone, streaks });
  audienceId = (await ok('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' })).id;
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'STEPS', type: 'AMOUNT' });
  for (const programmaticCode of ['ROUTINE', 'STREAK', 'CAMPAIGN', 'CLAIM', 'CHEST', 'GAME', 'RICH'])
    await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
  await statistic('points', 'POINTS', 'SUM');
  await statistic('missions', 'MISSIONS', 'COUNT');
  await statistic('games', 'EVENTS', 'COUNT', { programmaticCode: 'GAME' });
  const prizes = [{ lastRank: 1, rewardIds: [await reward(9)] }];
  boards = {
    points: await board('points'),
    missions: await board('missions'),
    prize: await board('games', { prizes }),
  };
  gift = await reward(6);
  const entries = [{ rewardId: await reward(3), guaranteed: true }];
  const chest = await ok('POST', '/admin/chests', { name: 'Chest', entries });
  const ofChest = { name: 'A chest', type: 'CHEST', amount: 1, chestId: chest.id };
  const rewardIds = [(await ok('POST', '/admin/rewards', ofChest)).id];
  await mission({ type: 'MISSION', programmaticCode: 'STEPS', target: 10, repeat: {}, rewardIds: [await reward(5)] });
  await mission({
    type: 'ROUTINE',
    programmaticCode: 'ROUTINE',
    target: 1,
    period: 'DAY',
    rewardIds: [await reward(2)],
  });
  await mission({
    ...{ type: 'STREAK', programmaticCode: 'STREAK', endless: true },
    milestones: [{ length: 1, rewardIds: [await reward(3)] }],
  });
  await mission({ type: 'MISSION', programmaticCode: 'CHEST', target: 1, rewardIds });
  const seven = await reward(7);
  campaigns = {
    CAMPAIGN: await campaign('CAMPAIGN', { rewardIds: [seven] }),
    CLAIM: await campaign('CLAIM', { rewardIds: [seven], claimPolicy: 'EXPLICIT' }),
  };
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

const statistic = (code: string, source: string, aggregation: string, fields: Json = {}): Promise<Json> =>
  ok('POST', '/admin/statistic-definitions', {
    statisticDefinition: { code, source, aggregation, period: 'ALL_TIME', ...fields },
  });

const reward = async (amount: number): Promise<string> =>
  (await ok('POST', '/admin/rewards', { name: `${amount} points`, type: 'POINTS', amount })).id;

const mission = (fields: Json): Promise<Json> =>
  ok('POST', '/admin/missions', { audienceId, mission: { name: fields.programmaticCode, ...fields } });

async function campaign(programmaticCode: string, fields: Json): Promise<string> {
  const missions = [{ type: 'MISSION', name: 'One', programmaticCode, target: 1 }];
  const { id } = await ok('POST', '/admin/campaigns', { name: 'One', audienceIds: [audienceId], missions, ...fields });
  await ok('POST', `/admin/campaigns/${id}/activate`);
  return id;
}

async function board(statisticCode: string, fields: Json = {}): Promise<string> {
  const leaderboard = { name: statisticCode, statisticCode, ...fields };
  const { id } = await ok('POST', '/admin/leaderboards', { leaderboard });
  await ok('POST', `/admin/leaderboards/${id}/activate`);
  return id;
}

const ref = (account: string) => ({ accountId: account, idType: 'EXTERNAL' });

const emit = (account: string, programmaticCode: string, fields: Json = {}): Promise<Json> =>
  ok('POST', '/gamification/triggers', { programmaticCode, ...ref(account), ...fields });

const steps = (account: string, amount: number, fields: Json = {}): Promise<Json> =>
  emit(account, 'STEPS', { metadata: { amount }, ...fields });

/** Sends the steps of an account's mission, so that they can be taken back. */
const taken = (account: string) => ({ operationId: `steps of ${account}` });

async function takeBack(account: string): Promise<Json> {
  const { operationId } = taken(account);
  const event = { triggerOperationId: operationId, programmaticCode: 'STEPS' };
  return ok('POST', '/gamification/triggers/reversals', event);
}

const support = (account: string, path: string, fields: Json): Promise<Json> =>
  ok('POST', `/admin/accounts/${encodeURIComponent(account)}/${path}`, {
    idType: 'EXTERNAL',
    reason: 'A test',
    ...fields,
  });

const adjust = (account: string, amount: number, earned?: boolean): Promise<Json> =>
  support(account, 'points/adjust', { amount, earned });

const freeze = (account: string): Promise<Json> =>
  ok('POST', `/v1/accounts/${encodeURIComponent(account)}/streak-freezes`, { idType: 'EXTERNAL' });

async function merge(account: string, amount: string): Promise<void> {
  const other = `${account} other`;
  await ok('POST', '/accounts', { externalId: other });
  await steps(other, Number(amount));
  const into = { intoAccountId: other, idType: 'EXTERNAL', progress: 'SUM' };
  await ok('POST', `/accounts/${encodeURIComponent(account)}/merge`, into);
}

async function openChests(account: string): Promise<void> {
  const chests = await ok('GET', `/gamification/chests/account/${encodeURIComponent(account)}?idType=EXTERNAL`);
  for (const { id } of chests) await ok('POST', `/gamification/chests/${id}/open`, ref(account));
}

/** The kinds of steps. */
const kinds: ReadonlyArray<readonly [RegExp, (account: string, amount: string) => Promise<unknown>]> = [
  [
    /^(\d+) for the mission$/,
    (account, amount) => steps(account, Number(amount), amount === '10' ? taken(account) : {}),
  ],
  [/^a period of a routine that pays 2$/, (account) => emit(account, 'ROUTINE')],
  [/^a streak's milestone that pays 3$/, (account) => emit(account, 'STREAK')],
  [/^a campaign that pays 7$/, (account) => emit(account, 'CAMPAIGN')],
  [
    /^a claim that pays 7$/,
    async (account) => {
      await emit(account, 'CLAIM');
      await ok('POST', `/gamification/campaigns/${campaigns['CLAIM']}/claim`, ref(account));
    },
  ],
  [/^a chest with 3$/, (account) => emit(account, 'CHEST').then(() => openChests(account))],
  [
    /^a prize of 9$/,
    async (account) => {
      await emit(account, 'GAME');
      const { run } = await ok('GET', `/v1/leaderboards/${boards['prize']}`);
      await ok('POST', `/admin/leaderboards/${boards['prize']}/runs/${run.id}/close`, {});
      await closeRuns(service.db, service.clientId, new Date());
    },
  ],
  [/^support gives a reward of 6$/, (account) => support(account, 'rewards/grant', { rewardId: gift })],
  [/^support adds (\d+) as earned$/, (account, amount) => adjust(account, Number(amount), true)],
  [/^support adds (\d+)$/, (account, amount) => adjust(account, Number(amount))],
  [/^support takes (\d+)$/, (account, amount) => adjust(account, -Number(amount))],
  [/^a freeze for 4$/, freeze],
  [/^take it back$/, takeBack],
  [
    /^a debt of 4$/,
    async (account) => {
      await steps(account, 10, { operationId: `debt of ${account}` });
      await freeze(account);
      const event = { triggerOperationId: `debt of ${account}`, programmaticCode: 'STEPS' };
      await ok('POST', '/gamification/triggers/reversals', event);
    },
  ],
  [/^merged into (\d+)$/, merge],
];

async function values(account: string): Promise<Readonly<Record<string, number>>> {
  const { rows: shown } = await ok('GET', `/v1/accounts/${encodeURIComponent(account)}/statistics?idType=EXTERNAL`);
  return Object.fromEntries(shown.map(({ code, value }: Json) => [code, value]));
}

/** The value of an account on a leaderboard. */
async function ranked(account: string, code: string): Promise<number | undefined> {
  const { rows: entries } = await ok('GET', `/v1/leaderboards/${boards[code]}/entries/paginated?page=1&limit=1000`);
  return entries.find(({ externalId }: Json) => externalId === account)?.value;
}

test('the table of sources has every kind of step', () => {
  const all = rows.flatMap((row) => row.steps.split(', '));
  for (const [pattern] of kinds)
    expect(
      all.some((each) => pattern.test(each)),
      String(pattern),
    ).toBe(true);
});

test.each(rows)('$steps', async ({ steps: all, points, missions }) => {
  const account = `account of ${all}`;
  await ok('POST', '/accounts', { externalId: account });
  for (const each of all.split(', ')) {
    const [pattern, play] = kinds.find(([pattern]) => pattern.test(each)) ?? [];
    expect(play, `"${each}" is no step`).toBeDefined();
    await play!(account, pattern!.exec(each)![1] ?? '');
  }
  expect(await values(account)).toMatchObject({ points, missions });
  // Each way of moving them has ranked the account as well.
  const shown = all.includes('merged') ? `${account} other` : account;
  for (const [code, value] of Object.entries({ points, missions }))
    expect((await ranked(shown, code)) ?? 0, code).toBe(value);
});

test('events of one batch see the points of those before them, under whatever name their account comes', async () => {
  const { id } = await ok('POST', '/accounts', { externalId: 'rich' });
  await mission({
    ...{ type: 'MISSION', programmaticCode: 'RICH', target: 9, name: 'Rich' },
    conditions: { expression: 'account.statistics.points >= 5.0' },
  });
  const rich = { programmaticCode: 'RICH', ...ref('rich') };
  const walk = { programmaticCode: 'STEPS', accountId: id, idType: 'INTERNAL', metadata: { amount: 10 } };
  const { results } = await ok('POST', '/gamification/triggers/batch', { triggers: [walk, rich, rich] });
  const progress = results.map(({ result }: Json) => result.progressedMissions[0]?.progress);
  expect(progress).toEqual([10, 1, 2]);
});

test('the event that earns the points reaches their level, whose points are seen by the next event', async () => {
  const levels = [
    { code: 'a', name: 'A', threshold: 50, rewardIds: [await reward(40)] },
    { code: 'b', name: 'B', threshold: 80, rewardIds: [await reward(1)] },
  ];
  await ok('POST', '/admin/level-tracks', {
    levelTrack: { code: 'xp', statisticCode: 'points', downgrade: 'NEVER', levels },
  });
  const event = {
    programmaticCode: 'STEPS',
    accountId: 'climber',
    idType: Account_IdType.EXTERNAL,
    metadata: { amount: 100 },
  };
  const points = (amount: number) => [{ code: 'points', amount }];
  const client = createClient(TriggerService, createGrpcTransport({ baseUrl: service.baseUrl }));
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const simulated = await client.simulateTrigger({ trigger: event }, { headers });
  expect(await service.rest('GET', '/v1/accounts/climber/statistics?idType=EXTERNAL')).toMatchObject({
    body: { rows: expect.arrayContaining([expect.objectContaining({ code: 'points', value: 0 })]) },
  });
  await steps('climber', 100);
  expect(await values('climber')).toMatchObject({ points: 90, missions: 10 });
  const journal = async () => (await ok('GET', '/admin/journal?limit=1')).rows[0];
  const moved = [{ code: 'missions', amount: 10 }, ...points(90)];
  expect(await journal()).toMatchObject({ statistics: moved, levels: [{ code: 'a' }] });
  expect(simulated).toMatchObject({ statistics: moved, levels: [{ code: 'a' }], levelRewards: [{ amount: 40 }] });
  const { rows: shown } = await ok('GET', '/v1/accounts/climber/levels?idType=EXTERNAL');
  expect(shown).toMatchObject([{ trackCode: 'xp', level: { code: 'b' } }]);
  await emit('climber', 'GAME');
  expect(await journal()).toMatchObject({ levels: [{ code: 'b' }] });
  expect(await values('climber')).toMatchObject({ points: 91 });
});

test('points that cannot be taken back any more stay, also through a merge', async () => {
  for (const account of ['old', 'older']) await steps(account, 10);
  await deleteOldEvents(service.db, service.clientId, new Date(Date.now() + 60_000));
  await steps('old', 10, taken('old'));
  await ok('POST', '/accounts/older/merge', { intoAccountId: 'old', idType: 'EXTERNAL', progress: 'SUM' });
  expect(await values('old')).toMatchObject({ points: 15, missions: 3 });
  await takeBack('old');
  // The merge has put the old round of `older` last.
  expect(await values('old')).toMatchObject({ points: 15, missions: 2 });
  await steps('old', 10);
  await deleteOldEvents(service.db, service.clientId, new Date(Date.now() + 60_000));
  expect(await values('old')).toMatchObject({ points: 20, missions: 3 });
  expect(await differences(service.db, service.clientId)).toEqual([]);
});
