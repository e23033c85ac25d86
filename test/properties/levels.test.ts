// Levels against a naive model that reviews every account at every moment, on two hosts, of which housekeeping runs only sometimes.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reviewLevels } from '../../src/levels/accounts/review-levels.ts';
import { differences } from '../operations/rewards/provision.ts';
import { testDatabase } from '../support/database.ts';
import { type RestAnswer, restAs, startService, type TestService } from '../support/service.ts';
import { runsOf, runsOnDemand } from './runs.ts';

type Json = RestAnswer['body'];

const DAY = 86_400_000;
const HOUR = 3_600_000;
const HOLD_DAYS = 3;
const PEOPLE = 3;

const PERIODS = ['ALL_TIME', 'DAY'] as const;
const DOWNGRADES = ['NEVER', 'ONE', 'BALANCE'] as const;
type Track = { readonly period: (typeof PERIODS)[number]; readonly downgrade: (typeof DOWNGRADES)[number] };
const TRACKS: readonly Track[] = PERIODS.flatMap((period) => DOWNGRADES.map((downgrade) => ({ period, downgrade })));

/** The points of a level tell which levels were paid: each is another digit of the balance. */
const CODES = ['a', 'b', 'c', 'd'] as const;
const POINTS: Readonly<Record<string, number>> = { a: 1, b: 10, c: 100, d: 1_000 };

let service: TestService;
let other: TestService;
/** The clock of both hosts. */
let now = Date.parse('2026-12-29T15:00:00Z');
let rewards: Record<string, string>;

beforeAll(async () => {
  const database = await testDatabase();
  const options = { clock: () => new Date(now), journal: 'byHash' } as const;
  service = await startService({ ...options, database });
  // The first one drops the database.
  other = await startService({ ...options, database: { ...database, drop: async () => {} } });
  rewards = Object.fromEntries(
    await Promise.all(
      CODES.map(async (code) => {
        const { id } = await ok('POST', '/admin/rewards', { name: code, type: 'POINTS', amount: POINTS[code] });
        return [code, id];
      }),
    ),
  );
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

type Event = { readonly at: number; left: number };

const dayOf = (at: number) => Math.floor(at / DAY);

/** The state of an account in one track. */
type State = { held: number | undefined; reviewAt: number | undefined; paid: Set<string> };

/** An account whose values are added up from scratch each time. */
class NaiveAccount {
  points = 0;
  readonly events: Event[] = [];
  readonly states = new Map<Track, State>(
    TRACKS.map((track) => [track, { held: undefined, reviewAt: undefined, paid: new Set() }]),
  );

  private sum(isIn: (event: Event) => boolean): number {
    return this.events.filter(isIn).reduce((total, { left }) => total + left, 0);
  }

  private values({ period }: Track, at: number): number {
    if (period === 'ALL_TIME') return this.sum(() => true);
    const day = (which: number) => this.sum((event) => dayOf(event.at) === which);
    return Math.max(day(dayOf(at)), day(dayOf(at) - 1));
  }

  counted(track: Track, at: number): number {
    return Math.max(this.values(track, at), this.states.get(track)!.held ?? 0);
  }

  /** Carries out the reviews that are due at an instant, which is at most a moment after the last one. */
  review(thresholds: readonly number[], at: number): void {
    for (const [track, state] of this.states) {
      while (state.reviewAt !== undefined && state.reviewAt <= at) {
        const ended = dayOf(state.reviewAt) - 1;
        const reached =
          track.period === 'ALL_TIME' ? this.values(track, at) : this.sum((event) => dayOf(event.at) === ended);
        const counted = Math.max(reached, state.held ?? 0);
        const below = thresholds[numberOf(thresholds, counted) - 2];
        state.held = track.downgrade === 'ONE' && below !== undefined ? Math.max(reached, below) : reached;
        state.reviewAt += track.period === 'ALL_TIME' ? HOLD_DAYS * DAY : DAY;
      }
    }
  }

  /** Decides after an event, as any event does. */
  decide(thresholds: readonly number[], at: number): void {
    for (const [track, state] of this.states) {
      const counted = this.counted(track, at);
      const number = numberOf(thresholds, counted);
      for (const code of CODES.slice(0, number)) {
        if (!state.paid.has(code)) this.points += POINTS[code]!;
        state.paid.add(code);
      }
      const isRise = number > (state.held === undefined ? 0 : numberOf(thresholds, state.held));
      const isReviewed = track.downgrade !== 'NEVER';
      if (!isRise && !(isReviewed && state.reviewAt === undefined && number > 0)) continue;
      state.held = counted;
      if (isReviewed) state.reviewAt = track.period === 'ALL_TIME' ? at + HOLD_DAYS * DAY : (dayOf(at) + 1) * DAY;
    }
  }

  join(from: NaiveAccount): void {
    this.events.push(...from.events);
    // The points that both had got stay.
    this.points += from.points;
    for (const [track, { held, reviewAt, paid }] of from.states) {
      const own = this.states.get(track)!;
      if (held !== undefined) own.held = Math.max(held, own.held ?? held);
      if (reviewAt !== undefined) own.reviewAt = Math.min(reviewAt, own.reviewAt ?? reviewAt);
      own.paid = new Set([...own.paid, ...paid]);
    }
  }
}

/** The number of the level that a value reaches. */
const numberOf = (thresholds: readonly number[], value: number) => thresholds.filter((each) => each <= value).length;

const THRESHOLDS: readonly (readonly number[])[] = [
  [5, 15, 30, 60],
  [1, 10, 40, 41],
  [8, 9, 20, 100],
  [20, 21, 22, 23],
];

const step = fc.record({
  kind: fc.constantFrom(
    'send',
    'send',
    'send',
    'send',
    'late',
    'reverse',
    'reverse',
    'wait',
    'wait',
    'change',
    'merge',
  ),
  who: fc.nat(PEOPLE - 1),
  host: fc.boolean(),
  amount: fc.integer({ min: 1, max: 30 }),
  which: fc.nat(),
  part: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let worlds = 0;

const draftOf = ({ period, downgrade }: Track, thresholds: readonly number[]) => ({
  ...{ code: `${period}_${downgrade}`, statisticCode: `${period}_${worlds}`, downgrade },
  ...(period === 'ALL_TIME' && downgrade !== 'NEVER' && { holdDays: HOLD_DAYS }),
  levels: CODES.map((code, index) => ({ code, threshold: thresholds[index], rewardIds: [rewards[code]] })),
});

async function newWorld(): Promise<{ readonly programmaticCode: string; readonly ids: readonly string[] }> {
  // A client may have few of both.
  for (const path of ['/admin/level-tracks', '/admin/statistic-definitions']) {
    const { rows } = await ok('GET', `${path}/paginated?page=1&limit=100`);
    for (const { id } of rows) await ok('DELETE', `${path}/${id}`);
  }
  worlds += 1;
  const programmaticCode = `WORLD_${worlds}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  for (const period of PERIODS) {
    await ok('POST', '/admin/statistic-definitions', {
      statisticDefinition: { code: `${period}_${worlds}`, programmaticCode, aggregation: 'SUM', period },
    });
  }
  const ids: string[] = [];
  for (const track of TRACKS)
    ids.push((await ok('POST', '/admin/level-tracks', { levelTrack: draftOf(track, THRESHOLDS[0]!) })).id);
  return { programmaticCode, ids };
}

async function play(steps: readonly Step[], seen: Record<string, number>): Promise<void> {
  const { programmaticCode, ids } = await newWorld();
  let thresholds = THRESHOLDS[0]!;
  let version = 1;
  const nameOf = (who: number) => `${worlds} ${who}`;
  for (let who = 0; who < PEOPLE; who += 1) await ok('POST', '/accounts/resolve', { externalId: nameOf(who) });
  const models = Array.from({ length: PEOPLE }, () => new NaiveAccount());
  const sent: { readonly id: string; readonly event: Event }[] = [];

  for (const { kind, who, host, amount, which, part } of steps) {
    const on = host ? service : other;
    now += 1_000;
    const model = models[who]!;
    for (const each of models) each.review(thresholds, now);
    // A review that is carried out late goes by the thresholds and the values of that moment.
    if (kind === 'change' || kind === 'reverse' || kind === 'merge')
      await reviewLevels(on.db, service.clientId, new Date(now));
    if (kind === 'send' || kind === 'late') {
      const at = kind === 'send' ? now : now - (1 + (which % 22)) * HOUR;
      await ok(
        'POST',
        '/gamification/triggers',
        {
          ...{ programmaticCode, accountId: nameOf(who), idType: 'EXTERNAL', metadata: { amount } },
          occurredAt: new Date(at).toISOString(),
        },
        on,
      );
      const { rows } = await ok('GET', `/admin/journal?programmaticCode=${programmaticCode}&limit=1`);
      const event = { at, left: amount };
      model.events.push(event);
      sent.push({ id: rows[0].id, event });
      model.decide(thresholds, now);
      seen[kind]! += 1;
    } else if (kind === 'reverse') {
      if (sent.length === 0) continue;
      const { id, event } = sent[which % sent.length]!;
      const taken = part ?? event.left;
      if (event.left === 0 || taken > event.left) continue;
      await ok('POST', '/gamification/triggers/reversals', { journalEntryId: id, amount: taken }, on);
      event.left -= taken;
      seen['reverse']! += 1;
    } else if (kind === 'wait') {
      const end = now + (1 + (which % 40)) * HOUR;
      // The reviews of a statistic of all time depend on the value at that moment, so that they are carried out in time.
      for (; now < end; now += HOUR) {
        for (const each of models) each.review(thresholds, now);
        if (which % 3 > 0) await reviewLevels(on.db, service.clientId, new Date(now));
      }
      if (which % 3 === 0) seen['late reviews']! += 1;
      for (const each of models) each.review(thresholds, now);
    } else if (kind === 'change') {
      thresholds = THRESHOLDS[which % THRESHOLDS.length]!;
      for (const [index, track] of TRACKS.entries())
        await ok('PUT', `/admin/level-tracks/${ids[index]}`, { version, levelTrack: draftOf(track, thresholds) }, on);
      version += 1;
      seen['change']! += 1;
    } else {
      const into = (who + 1) % PEOPLE;
      const survivor = models[into]!;
      if (model === survivor || which % 3 > 0) continue;
      const merge = { intoAccountId: nameOf(into), idType: 'EXTERNAL', progress: 'SUM' };
      await ok('POST', `/accounts/${encodeURIComponent(nameOf(who))}/merge`, merge, on);
      survivor.join(model);
      for (const [index, each] of models.entries()) if (each === model) models[index] = survivor;
      seen['merge']! += 1;
    }
    for (let each = 0; each < PEOPLE; each += 1)
      expect(await shown(nameOf(each)), `${kind} ${each}`).toEqual(expected(models[each]!, thresholds));
  }
}

/** The levels of an account as the service shows them, and what it was paid. */
async function shown(account: string): Promise<Json> {
  const name = encodeURIComponent(account);
  const [{ rows }, { available }] = await Promise.all([
    ok('GET', `/v1/accounts/${name}/levels?idType=EXTERNAL`),
    ok('GET', `/loyalty/accounts/${name}/points?idType=EXTERNAL`),
  ]);
  const levels = (rows as Json[]).map(({ trackCode, level, countedValue, reviewAt }) => [
    trackCode,
    { code: level?.code, counted: countedValue, reviewAt: reviewAt === undefined ? undefined : Date.parse(reviewAt) },
  ]);
  return { levels: Object.fromEntries(levels), available };
}

function expected(model: NaiveAccount, thresholds: readonly number[]): Json {
  const levels = TRACKS.map((track) => {
    const counted = model.counted(track, now);
    const number = numberOf(thresholds, counted);
    const { reviewAt } = model.states.get(track)!;
    const shownReview = number === 0 ? undefined : reviewAt;
    return [`${track.period}_${track.downgrade}`, { code: CODES[number - 1], counted, reviewAt: shownReview }];
  });
  return { levels: Object.fromEntries(levels), available: model.points };
}

test('whatever is sent, taken back, merged and changed, the levels, reviews and payments are those of the naive model', async () => {
  const seen = { send: 0, late: 0, reverse: 0, 'late reviews': 0, change: 0, merge: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), (steps) => play(steps, seen)),
    { ...runsOf({ numRuns: 10, seed: 342 }), endOnFailure: true },
  );
  if (runsOnDemand === undefined)
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(3);
});
