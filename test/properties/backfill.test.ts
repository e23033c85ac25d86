import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { units } from '../engine/fixtures.ts';
import { type Arrival, type Life, replay, replayRoutine } from '../engine/naive-model.ts';
import { differences } from '../operations/rewards/provision.ts';
import { type RestAnswer, startService, type TestService } from '../support/service.ts';
import { runsOf } from './runs.ts';

type Json = RestAnswer['body'];

const HOUR_MS = 3_600_000;
const END = Date.now();
const BEGIN = END - 30 * 24 * HOUR_MS;

let service: TestService;
let audienceId = '';
let now = BEGIN;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now) });
  audienceId = (await ok('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' }))['id'];
  const { version, name, timeZone } = await ok('GET', `/admin/clients/${service.clientId}`);
  await ok('PUT', `/admin/clients/${service.clientId}`, { version, name, timeZone, backfillDaysMax: 40 });
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

/** The missions of each world, as the API and the model have them. */
const rules: ReadonlyArray<Omit<MissionRule, 'id' | 'programmaticCode' | 'rewardIds'>> = [
  { type: 'MISSION', target: units(20), period: 'DAY', repeat: {}, conditions: { maxPerPeriod: units(6) } },
  { type: 'CHALLENGE', target: units(15), durationDays: 4 },
  { type: 'STREAK', target: units(4), period: 'DAY', perPeriodTarget: units(3), gracePeriods: 1 },
  { type: 'STREAK', target: units(50), period: 'DAY', perPeriodTarget: units(2) },
  { type: 'ROUTINE', target: units(5), period: 'DAY', occurrences: 3 },
];

const UTC: Life = { stays: [{ from: -Infinity, zone: 'UTC' }], pauses: [] };

const histories = fc.array(
  fc.record({
    hours: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 40 })),
    amount: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 40 },
);

let worlds = 0;

test('events in time, and the same events backfilled in any division, come to what the model adds up', async () => {
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 40, maxLength: 40 }),
      fc.integer(),
      play,
    ),
    runsOf({ numRuns: 25, seed: 33 }),
  );
});

async function play(history: readonly { hours: number; amount: number }[], sizes: readonly number[], salt: number) {
  worlds += 1;
  const programmaticCode = `PAST_${worlds}`;
  now = BEGIN;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const missionIds: string[] = [];
  for (const [index, rule] of rules.entries()) {
    const json = JSON.parse(
      JSON.stringify(rule, (_, value) => (typeof value === 'bigint' ? Number(value) / 10_000 : value)),
    );
    const mission = { ...json, name: `${index}`, programmaticCode, startsAt: new Date(BEGIN).toISOString() };
    missionIds.push((await ok('POST', '/admin/missions', { audienceId, mission }))['id']);
  }
  let at = BEGIN;
  const events = history
    .map(({ hours, amount }) => ({ at: (at += hours * HOUR_MS + 60_000), amount }))
    .filter((event) => event.at < END);
  const triggerOf = (accountId: string, event: (typeof events)[number], index: number) => ({
    programmaticCode,
    accountId,
    idType: 'EXTERNAL',
    occurredAt: new Date(event.at).toISOString(),
    metadata: { amount: event.amount },
    operationId: `${accountId} ${index}`,
  });
  const [punctual, late] = [`punctual ${worlds}`, `late ${worlds}`];
  for (const [index, event] of events.entries()) {
    now = event.at;
    await ok('POST', '/gamification/triggers', triggerOf(punctual, event, index));
  }
  now = END;
  const all = events.map((event, index) => triggerOf(late, event, index));
  for (let [first, call] = [0, 0]; first < all.length; call += 1) {
    const part = all.slice(first, (first += sizes[call]!));
    const shuffled = part.toSorted((a, b) => hash(a.operationId, salt) - hash(b.operationId, salt));
    const rehearsed = await ok('POST', '/gamification/triggers/backfill', { triggers: shuffled, dryRun: true });
    const { summary } = await ok('POST', '/gamification/triggers/backfill', { triggers: shuffled });
    expect(summary).toMatchObject({ applied: part.length, refused: 0, replayed: 0, tooLate: 0 });
    expect(summary).toEqual(rehearsed['summary']);
  }
  const [one, other] = [await statesOf(punctual, missionIds), await statesOf(late, missionIds)];
  expect(other).toEqual(one);

  const arrivals = events.map((event): Arrival => ({ at: event.at, now: event.at, amount: units(event.amount) }));
  const last = arrivals.at(-1)?.now ?? BEGIN;
  for (const [index, rule] of rules.entries()) {
    const whole = { ...rule, id: 'm1', programmaticCode, rewardIds: [] };
    const own = other.filter(({ mission }) => mission === missionIds[index]);
    if (rule.type === 'ROUTINE') {
      const sums = own
        .filter(({ period }) => period !== '')
        .map(({ period, progress }) => [period, (units(1) * BigInt(Math.round(Number(progress) * 10_000))) / 10_000n]);
      expect(new Map(sums as [string, bigint][])).toEqual(replayRoutine(whole, UTC, arrivals));
      continue;
    }
    const expected = replay(whole, UTC, arrivals, last);
    expect([own[0]?.status === 'COMPLETED', Number(own[0]?.progress ?? 0)]).toEqual([
      expected.isOver,
      Number(expected.progress) / 10_000,
    ]);
  }
}

function hash(text: string, salt: number): number {
  return [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, salt);
}

type State = { readonly mission: string; readonly period: string; readonly progress: string; readonly status: string };

/** The assignments of an account without their ids, and without the time of the call. */
function statesOf(externalId: string, missionIds: readonly string[]): Promise<State[]> {
  return service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<State>(
      `select a.mission_id as mission, a.period_key as period, a.progress, a.status, a.started_at, a.completion_occurred_at,
              a.state, a.completed_at is not null as completed
         from assignment a join account o on o.client_id = a.client_id and o.id = a.account_id
        where o.external_id = $1 and a.mission_id = any($2::uuid[]) order by 1, 2`,
      [externalId, missionIds],
    ),
  );
}
