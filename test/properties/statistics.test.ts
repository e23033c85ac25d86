// Statistics of events, points and missions against a naive model that adds everything up from scratch, on two hosts.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalogs } from '../../src/campaigns/catalog/catalog.ts';
import { countPastEvents } from '../../src/triggers/count-past-events.ts';
import { testDatabase } from '../support/database.ts';
import { differences } from '../operations/rewards/provision.ts';
import { type RestAnswer, restAs, startService, type TestService } from '../support/service.ts';
import { runsOf, runsOnDemand } from './runs.ts';

type Json = RestAnswer['body'];

const ZONE = 'America/New_York';
const DAY = 86_400_000;
const HOUR = 3_600_000;

let service: TestService;
let other: TestService;
let audienceId: string;
/** The clock of both hosts. */
let now = Date.parse('2000-01-01T00:00:00Z');

/** The time of the first world. Each of the next begins two months after the end of the one before. */
const BEGIN = Date.parse('2001-12-29T15:00:00Z');

/** The ids of rewards are of today, and a reversal looks for none from before its mission: a world after this time begins at {@link BEGIN}. */
const END = Date.parse('2020-01-01T00:00:00Z');

beforeAll(async () => {
  const database = await testDatabase();
  const options = { clock: () => new Date(now), journal: 'byHash' } as const;
  service = await startService({ ...options, database });
  // The first one drops the database.
  other = await startService({ ...options, database: { ...database, drop: async () => {} } });
  const { version, name } = await ok('GET', `/admin/clients/${service.clientId}`);
  await ok('PUT', `/admin/clients/${service.clientId}`, { version, name, timeZone: ZONE, backfillDaysMax: 60 });
  audienceId = (await ok('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' })).id;
  // Long after the change of the zone, whose periods keep their ends.
  now = BEGIN;
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await other.close();
  await service.close();
});

async function ok(method: string, path: string, body?: Json, host = service): Promise<Json> {
  const answer = await (host === service ? service.rest : restAs(other.baseUrl, service))(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const AGGREGATIONS = ['COUNT', 'SUM', 'MAX', 'LAST', 'DAYS'] as const;
const PERIODS = ['ALL_TIME', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;
type Period = (typeof PERIODS)[number];

/** The statistics of the model: each source and aggregation with each period, half of those of events for large ones only. */
const STATISTICS = [
  ...AGGREGATIONS.flatMap((aggregation, row) =>
    PERIODS.map((period, column) => {
      return {
        source: 'EVENTS',
        aggregation,
        period,
        least: (row + column) % 2 === 0 ? 0 : 10,
        isLater: false,
      } as const;
    }),
  ),
  ...PERIODS.map((period) => ({ source: 'POINTS', aggregation: 'SUM', period, least: 0, isLater: false }) as const),
  ...PERIODS.map((period) => ({ source: 'MISSIONS', aggregation: 'COUNT', period, least: 0, isLater: false }) as const),
];

/** Many of those of events again, created amid the events, which count past events from the journal. */
const LATER_STATISTICS = STATISTICS.filter(
  ({ source, period }) => source === 'EVENTS' && ['ALL_TIME', 'DAY', 'MONTH'].includes(period),
).map((statistic) => ({ ...statistic, isLater: true }));
type Statistic = (typeof STATISTICS)[number] | (typeof LATER_STATISTICS)[number];

const codeOf = ({ source, aggregation, period, isLater }: Statistic, world: number) =>
  `${isLater ? 'later_' : ''}${source}_${aggregation}_${period}_${world}`.toLowerCase();

/** The missions of the model, which repeat: the amounts to reach, and the points of a round. */
const MISSIONS = [
  { target: 12, points: 5 },
  { target: 40, points: 0 },
] as const;

/** The thresholds of levels over the points of all time, and the points that each pays: the first reaches the second. */
const LEVELS = [
  { threshold: 20, points: 4 },
  { threshold: 24, points: 100 },
] as const;

/** The local date of an instant. */
const dateOf = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(ZONE).toPlainDate();

/** The name of the period in which an instant lies. */
function periodOf(period: Period, at: number): string {
  const date = dateOf(at);
  switch (period) {
    case 'ALL_TIME':
      return '';
    case 'DAY':
      return date.toString();
    case 'WEEK':
      return `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, '0')}`;
    case 'MONTH':
      return date.toPlainYearMonth().toString();
    default:
      return String(date.year);
  }
}

/** Points that a round or a level has paid. */
type Paid = { readonly at: number; readonly points: number };

/** The state of a mission: the amounts, what its rounds paid in their order, and the times of its completions. */
type Progress = { sum: number; paid: (Paid | undefined)[]; completions: number[] };

type Event = {
  readonly at: number;
  readonly order: number;
  readonly amount: number;
  left: number;
  /** The statistics and periods in which a correction has replaced it. */
  readonly replaced: Set<string>;
};

/** A correction: the difference of an added value, or values that stand for the events they replaced. */
type Correction = { offset: number; bases: { value: number; at: number }[] };

/** The naive account: all events, and what was corrected. */
class NaiveAccount {
  events: Event[] = [];
  readonly corrections = new Map<string, Correction>();
  progress: readonly Progress[] = MISSIONS.map(() => ({ sum: 0, paid: [], completions: [] }));
  /** The points that levels have paid. */
  bonuses: Paid[] = [];
  /** The thresholds that were paid, or left out by a backfill. */
  readonly levels = new Set<number>();

  value(statistic: Statistic, period: string): number | undefined {
    const key = keyOf(statistic, period);
    const { offset, bases } = this.corrections.get(key) ?? { offset: 0, bases: [] };
    const isIn = (at: number) => periodOf(statistic.period, at) === period;
    if (statistic.source === 'MISSIONS')
      return this.progress.flatMap(({ completions }) => completions).filter(isIn).length + offset;
    if (statistic.source === 'POINTS')
      return [...this.progress.flatMap(({ paid }) => paid), ...this.bonuses]
        .filter((each) => each !== undefined)
        .filter(({ at }) => isIn(at))
        .reduce((sum, { points }) => sum + points, offset);
    const counted = this.events
      .filter(
        ({ at, amount, left }) => left > 0 && amount >= statistic.least && periodOf(statistic.period, at) === period,
      )
      .filter(({ replaced }) => !replaced.has(key))
      .toSorted((one, next) => one.at - next.at || one.order - next.order);
    switch (statistic.aggregation) {
      case 'COUNT':
        return counted.length + offset;
      case 'SUM':
        return counted.reduce((sum, { left }) => sum + left, 0) + offset;
      case 'DAYS':
        return new Set(counted.map(({ at }) => dateOf(at).toString())).size + offset;
      case 'MAX': {
        const values = [...counted.map(({ left }) => left), ...bases.map(({ value }) => value)];
        return values.length === 0 ? undefined : Math.max(...values);
      }
      default:
        return [...bases, ...counted.map(({ at, left }) => ({ at, value: left }))]
          .toSorted((one, next) => one.at - next.at)
          .at(-1)?.value;
    }
  }

  /** Applies an event. @param pays whether its rewards are delivered */
  apply(event: Event, pays: boolean): void {
    this.events.push(event);
    for (const [index, { target }] of MISSIONS.entries()) {
      const progress = this.progress[index]!;
      progress.sum += event.amount;
      this.#complete(index, Math.floor(progress.sum / target), event.at, pays);
    }
    // The points of these levels are seen by the next event.
    const points = this.value(POINTS_EVER, '')!;
    for (const { threshold, points: bonus } of LEVELS) {
      if (points < threshold || this.levels.has(threshold)) continue;
      this.levels.add(threshold);
      if (pays) this.bonuses.push({ at: event.at, points: bonus });
    }
  }

  #complete(index: number, rounds: number, at: number, pays: boolean): void {
    const { paid, completions } = this.progress[index]!;
    const { points } = MISSIONS[index]!;
    while (paid.length < rounds) {
      paid.push(pays ? { at, points } : undefined);
      completions.push(at);
    }
  }

  /** Takes a part of an event back: the last rounds are lost with their points, and the latest completions. */
  takeBack(event: Event, amount: number): void {
    event.left -= amount;
    for (const [index, { target }] of MISSIONS.entries()) {
      const progress = this.progress[index]!;
      progress.sum -= amount;
      const rounds = Math.floor(progress.sum / target);
      const lost = progress.paid.length - rounds;
      if (lost <= 0) continue;
      progress.paid.splice(rounds);
      progress.completions = progress.completions.toSorted((one, next) => one - next).slice(0, -lost);
    }
  }

  correct(statistic: Statistic, period: string, value: number): void {
    const key = keyOf(statistic, period);
    const before = this.corrections.get(key)?.offset ?? 0;
    if (!['MAX', 'LAST'].includes(statistic.aggregation)) {
      const offset = before + value - (this.value(statistic, period) ?? 0);
      this.corrections.set(key, { offset, bases: [] });
      return;
    }
    for (const { replaced } of this.events) replaced.add(key);
    this.corrections.set(key, { offset: 0, bases: [{ value, at: now }] });
  }

  /** Becomes one with another account. Their rounds follow its own, and the rounds that both reach together are paid. */
  join(other: NaiveAccount): void {
    for (const [index, { target }] of MISSIONS.entries()) {
      const [own, theirs] = [this.progress[index]!, other.progress[index]!];
      own.sum += theirs.sum;
      own.paid.push(...theirs.paid);
      own.completions.push(...theirs.completions);
      this.#complete(index, Math.floor(own.sum / target), now, true);
    }
    this.bonuses.push(...other.bonuses);
    for (const level of other.levels) this.levels.add(level);
    this.events.push(...other.events);
    for (const [key, { offset, bases }] of other.corrections) {
      const own = this.corrections.get(key) ?? { offset: 0, bases: [] };
      this.corrections.set(key, { offset: own.offset + offset, bases: [...own.bases, ...bases] });
    }
  }
}

const POINTS_EVER = STATISTICS.find(({ source, period }) => source === 'POINTS' && period === 'ALL_TIME')!;

const keyOf = (statistic: Statistic, period: string) => `${codeOf(statistic, 0)} ${period}`;

const PEOPLE = 3;

const step = fc.record({
  kind: fc.constantFrom(
    'send',
    'send',
    'send',
    'batch',
    'repeat',
    'reverse',
    'reverse',
    'backfill',
    'correct',
    'merge',
    'wait',
    'later',
  ),
  who: fc.nat(PEOPLE - 1),
  host: fc.boolean(),
  amount: fc.integer({ min: 1, max: 30 }),
  late: fc.nat(23 * 60),
  which: fc.nat(),
  part: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let worlds = 0;

async function createStatistics(
  statistics: readonly Statistic[],
  programmaticCode: string,
  world: number,
): Promise<void> {
  for (const statistic of statistics) {
    const { source, aggregation, period, least, isLater } = statistic;
    await ok('POST', '/admin/statistic-definitions', {
      statisticDefinition: {
        ...{ code: codeOf(statistic, world), source, aggregation, period, countsPastEvents: isLater },
        ...(source === 'EVENTS' && { programmaticCode }),
        ...(least > 0 && { condition: `event.amount >= ${least}.0` }),
      },
    });
  }
}

/** Both passes over the journal, of which the second one is due five minutes later. */
async function countPast(host: TestService, at: number): Promise<void> {
  const catalogs = createCatalogs();
  for (const due of [at, at + HOUR]) await countPastEvents(host.db, service.clientId, new Date(due), catalogs);
}

async function newStatistics(world: number): Promise<string> {
  const programmaticCode = `WORLD_${world}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  await createStatistics(STATISTICS, programmaticCode, world);
  for (const [index, { target, points }] of MISSIONS.entries())
    await ok('POST', '/admin/missions', {
      audienceId,
      mission: {
        ...{ type: 'MISSION', name: `Mission ${index}`, programmaticCode, target, repeat: {} },
        rewardIds: points === 0 ? [] : [await pointReward(points)],
      },
    });
  const levels = LEVELS.map(async ({ threshold, points }) => {
    return { code: `l${threshold}`, name: 'Level', threshold, rewardIds: [await pointReward(points)] };
  });
  const track = { code: `track_${world}`, statisticCode: codeOf(POINTS_EVER, world), downgrade: 'NEVER' };
  await ok('POST', '/admin/level-tracks', { levelTrack: { ...track, levels: await Promise.all(levels) } });
  return programmaticCode;
}

const pointReward = async (amount: number): Promise<string> =>
  (await ok('POST', '/admin/rewards', { name: `${amount} points`, type: 'POINTS', amount })).id;

/** The values of an account around an instant, as the service shows them, by code and period. */
async function shown(accountId: string, world: number): Promise<Record<string, number | undefined>> {
  const path = `/v1/accounts/${encodeURIComponent(accountId)}/statistics?idType=EXTERNAL`;
  const [current, previous] = await Promise.all([ok('GET', path), ok('GET', `${path}&period=PREVIOUS`)]);
  const rows = [...current.rows, ...previous.rows].filter(({ code }: Json) => code.endsWith(`_${world}`));
  return Object.fromEntries(rows.map(({ code, periodKey = '', value }: Json) => [`${code} ${periodKey}`, value]));
}

function expected(
  account: NaiveAccount,
  world: number,
  at: number,
  statistics: readonly Statistic[],
): Record<string, number | undefined> {
  return Object.fromEntries(
    statistics.flatMap((statistic) => {
      const current = periodOf(statistic.period, at);
      const names = statistic.period === 'ALL_TIME' ? [current] : [current, previousOf(statistic.period, at)];
      return names.map((name) => [`${codeOf(statistic, world)} ${name}`, account.value(statistic, name)]);
    }),
  );
}

/** The name of the period before that of an instant: the first other one on the way back. */
function previousOf(period: Period, at: number): string {
  const current = periodOf(period, at);
  for (let back = at; ; back -= 12 * HOUR) if (periodOf(period, back) !== current) return periodOf(period, back);
}

async function play(steps: readonly Step[], seen: Record<string, number>): Promise<void> {
  worlds += 1;
  const world = worlds;
  if (now > END) now = BEGIN;
  const programmaticCode = await newStatistics(world);
  const nameOf = (who: number) => `${world} ${who}`;
  const ref = (who: number) => ({ accountId: nameOf(who), idType: 'EXTERNAL' });
  for (let who = 0; who < PEOPLE; who += 1) await ok('POST', '/accounts/resolve', { externalId: nameOf(who) });
  const models = Array.from({ length: PEOPLE }, () => new NaiveAccount());
  /** The events that may be taken back, with their entries in the journal. */
  const sent: { id: string; who: number; event: Event; operationId: string }[] = [];
  let order = 0;
  let statistics: readonly Statistic[] = STATISTICS;
  /** Past events are counted while the next step is played. */
  let counting: Promise<void> | undefined;

  // Backfilled events must not be older than the missions and the accounts.
  now += 61 * DAY;

  async function note(
    who: number,
    drafts: readonly { at: number; amount: number; operationId: string }[],
    pays = true,
  ) {
    const { rows } = await ok('GET', `/admin/journal?programmaticCode=${programmaticCode}&limit=${drafts.length}`);
    for (const [index, { at, amount, operationId }] of drafts.entries()) {
      const event = { at, order: (order += 1), amount, left: amount, replaced: new Set<string>() };
      models[who]!.apply(event, pays);
      sent.push({ id: rows.at(-1 - index).id, who, event, operationId });
    }
  }

  for (const { kind, who, host, amount, late, which, part } of steps) {
    const on = host ? service : other;
    const trigger = (at: number, brought: number, operationId: string) => ({
      ...{ programmaticCode, ...ref(who), operationId, metadata: { amount: brought } },
      occurredAt: new Date(at).toISOString(),
    });
    now += 1_000;
    if (kind === 'send') {
      const at = now - (which % 2 === 0 ? 0 : late * 60_000);
      const operationId = `${world} ${order}`;
      await ok('POST', '/gamification/triggers', trigger(at, amount, operationId), on);
      await note(who, [{ at, amount, operationId }]);
      if (at < now) seen['late']! += 1;
    } else if (kind === 'batch') {
      // All at one moment, in order.
      const drafts = [amount, (amount % 7) + 1, (amount % 11) + 1].map((brought, index) => {
        return { at: now, amount: brought, operationId: `${world} ${order} ${index}` };
      });
      const triggers = drafts.map((draft) => trigger(draft.at, draft.amount, draft.operationId));
      await ok('POST', '/gamification/triggers/batch', { triggers }, on);
      await note(who, drafts);
    } else if (kind === 'backfill') {
      const drafts = [1, 2].map((each) => {
        const at = now - Math.round(((which % 50) + each) * DAY + late);
        return { at, amount: amount + each, operationId: `${world} ${order} back ${each}` };
      });
      const inOrder = drafts.toSorted((one, next) => one.at - next.at);
      const triggers = drafts.map((draft) => trigger(draft.at, draft.amount, draft.operationId));
      const rewards = part === undefined ? 'NONE' : 'ALL';
      await ok('POST', '/gamification/triggers/backfill', { triggers, rewards }, on);
      await note(who, inOrder, rewards === 'ALL');
      seen['backfilled']! += 1;
    } else if (kind === 'repeat') {
      const last = sent.at(-1);
      if (last === undefined) continue;
      const { event, operationId } = last;
      const repeated = { ...trigger(event.at, event.amount, operationId), ...ref(last.who) };
      if (now - event.at > DAY || operationId.includes('back')) continue;
      await ok('POST', '/gamification/triggers', repeated, on);
      seen['repeated']! += 1;
    } else if (kind === 'reverse') {
      if (sent.length === 0) continue;
      const { id, event } = sent[which % sent.length]!;
      const body = { journalEntryId: id, ...(part !== undefined && { amount: part }) };
      const answer = await (host ? service.rest : restAs(other.baseUrl, service))(
        'POST',
        '/gamification/triggers/reversals',
        body,
      );
      const taken = part ?? event.left;
      const isPossible = event.left > 0 && taken <= event.left;
      expect(answer.status, JSON.stringify(answer.body)).toBe(isPossible ? 200 : 409);
      if (isPossible) models.find(({ events }) => events.includes(event))!.takeBack(event, taken);
      if (isPossible) seen[event.left > 0 ? 'partly' : 'reversed']! += 1;
    } else if (kind === 'correct') {
      const statistic = STATISTICS[which % STATISTICS.length]!;
      const period = periodOf(statistic.period, now);
      models[who]!.correct(statistic, period, amount);
      const body = { ...ref(who), code: codeOf(statistic, world), value: amount, reason: 'A test' };
      const { accountId, ...rest } = body;
      await ok('POST', `/admin/accounts/${encodeURIComponent(accountId)}/statistics/correct`, rest, on);
      seen['corrected']! += 1;
    } else if (kind === 'merge') {
      const into = (who + 1) % PEOPLE;
      const [from, survivor] = [models[who]!, models[into]!];
      if (from === survivor || which % 3 > 0) continue;
      const merge = { intoAccountId: nameOf(into), idType: 'EXTERNAL', progress: 'SUM' };
      await ok('POST', `/accounts/${encodeURIComponent(nameOf(who))}/merge`, merge, on);
      survivor.join(from);
      for (const [index, model] of models.entries()) if (model === from) models[index] = survivor;
      seen['merged']! += 1;
    } else if (kind === 'later') {
      if (statistics !== STATISTICS) continue;
      await createStatistics(LATER_STATISTICS, programmaticCode, world);
      statistics = [...STATISTICS, ...LATER_STATISTICS];
      counting = countPast(on, now);
      seen['later']! += 1;
      continue;
    } else now += (late % 40) * HOUR;
    await counting;
    expect(await shown(nameOf(who), world)).toEqual(expected(models[who]!, world, now, statistics));
  }
  await counting;
  // Each period in which something happened.
  const end = now;
  for (const [who, model] of models.entries())
    for (const at of new Set(model.events.map((event) => event.at))) {
      now = at;
      expect(await shown(nameOf(who), world)).toEqual(expected(model, world, at, statistics));
    }
  now = end;
}

test(
  'whatever is sent, late, again, backfilled, taken back, corrected and merged, the statistics are what the naive model adds up',
  { timeout: 120_000 + 8_000 * (runsOnDemand ?? 0) },
  async () => {
    const seen = { late: 0, repeated: 0, backfilled: 0, reversed: 0, partly: 0, corrected: 0, merged: 0, later: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
        await removeStatistics();
        await play(steps, seen);
      }),
      { ...runsOf({ numRuns: 12, seed: 34 }), endOnFailure: true },
    );
    if (runsOnDemand === undefined)
      for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(3);
  },
);

/** A client has at most 100. */
async function removeStatistics(): Promise<void> {
  for (const path of ['/admin/level-tracks', '/admin/statistic-definitions']) {
    const { rows } = await ok('GET', `${path}/paginated?page=1&limit=100`);
    for (const { id } of rows) await ok('DELETE', `${path}/${id}`);
  }
}
