// Leagues against a naive model that fills, sorts and moves everything from scratch, on two hosts that give groups and close runs in parallel.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givePlaces } from '../../src/leaderboards/leagues/give-places.ts';
import { closeRuns } from '../../src/leaderboards/runs/close-runs.ts';
import { differences } from '../operations/rewards/provision.ts';
import { testDatabase } from '../support/database.ts';
import { type RestAnswer, restAs, startService, type TestService } from '../support/service.ts';
import { runsOf, runsOnDemand } from './runs.ts';

type Json = RestAnswer['body'];

const DAY = 86_400_000;
const HOUR = 3_600_000;
const PEOPLE = 8;
const NAMES = ['Bronze', 'Silver', 'Gold'];
const SIZE = 3;
const MOVED = 1;

let service: TestService;
let other: TestService;
/** The clock of both hosts. */
let now = Date.parse('2026-12-29T15:00:00Z');
let rewardIds: readonly string[];

beforeAll(async () => {
  const database = await testDatabase();
  const options = { clock: () => new Date(now), journal: 'byHash' } as const;
  service = await startService({ ...options, database });
  // The first one drops the database.
  other = await startService({ ...options, database: { ...database, drop: async () => {} } });
  const reward = async (name: string) =>
    (await ok('POST', '/admin/rewards', { name, type: 'POINTS', amount: 1 })).id as string;
  rewardIds = [await reward('Bronze'), await reward('Silver'), await reward('All')];
});
afterAll(async () => {
  await closeAll();
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await other.close();
  await service.close();
});

async function ok(method: string, path: string, body?: Json, host = service): Promise<Json> {
  const answer = await (host === service ? service.rest : restAs(other.baseUrl, service))(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** Both hosts do it at the same time, and what one has left because of the other. */
async function onBoth(job: (host: TestService) => Promise<unknown>): Promise<void> {
  await Promise.all([job(service), job(other)]);
  await job(service);
}
const giveAll = () => onBoth((host) => givePlaces(host.db, service.clientId));
const closeAll = () => onBoth((host) => closeRuns(host.db, service.clientId, new Date(now)));

const dayOf = (at: number) => Math.floor(at / DAY);

/** An account, whose values are added up from scratch. */
class Person {
  readonly id: string;
  readonly events: { readonly at: number; left: number }[] = [];
  isHidden = false;
  league = 1;
  /** The person into whom it was merged. */
  into: Person | undefined;
  isGone = false;
  readonly reached = new Map<number, { value: number; at: number }>();

  constructor(id: string) {
    this.id = id;
  }

  value(day: number): number {
    return this.events.filter(({ at }) => dayOf(at) === day).reduce((sum, { left }) => sum + left, 0);
  }

  /** Notes that the value of a day may have changed at a time. */
  touch(day: number, at: number): void {
    const value = this.value(day);
    if (this.reached.get(day)?.value !== value) this.reached.set(day, { value, at });
  }

  /** The account that it leads to; undefined for one that was deleted. */
  survivor(): Person | undefined {
    return this.isGone ? undefined : (this.into?.survivor() ?? this);
  }
}

type Place = { readonly league: number; readonly group: number };
type Row = { readonly person: Person; readonly value: number; readonly at: number };
type Result = { readonly rank: number; readonly outcome: string };

class Run {
  readonly day: number;
  readonly places = new Map<Person, Place>();
  readonly waiting = new Set<Person>();
  /** The list at the end of the day. */
  final: readonly Row[] | undefined;
  results: Map<Person, Result> | undefined;
  prizes = 0;

  constructor(day: number) {
    this.day = day;
  }
}

class NaiveLeague {
  readonly people: (Person | undefined)[] = Array.from({ length: PEOPLE }, () => undefined);
  readonly runs: Run[] = [];
  hasMerged = false;

  run(day: number): Run | undefined {
    return this.runs.find((run) => run.day === day);
  }

  private list(run: Run): readonly Row[] {
    if (run.final !== undefined) return run.final;
    const present = [...new Set(this.people)].filter((each) => each !== undefined);
    return present
      .filter((person) => !person.isHidden && person.value(run.day) > 0)
      .map((person) => ({ person, ...person.reached.get(run.day)! }))
      .toSorted((one, two) => two.value - one.value || one.at - two.at || (one.person.id < two.person.id ? -1 : 1));
  }

  /** An account that is on the board of an open day and has no group waits for one. */
  arrive(): void {
    for (const run of this.runs)
      if (run.final === undefined)
        for (const { person } of this.list(run)) if (!run.places.has(person)) run.waiting.add(person);
  }

  freeze(): void {
    for (const run of this.runs) if ((run.day + 1) * DAY <= now) run.final ??= this.list(run);
  }

  private giveIn(run: Run): void {
    for (const person of [...run.waiting].toSorted((one, two) => (one.id < two.id ? -1 : 1))) {
      const { league } = person;
      const before = [...run.places.values()].filter((place) => place.league === league).length;
      run.places.set(person, { league, group: Math.floor(before / SIZE) + 1 });
    }
    run.waiting.clear();
  }

  give(): void {
    for (const run of this.runs)
      if (run.results === undefined && !this.runs.some((each) => each.day < run.day && each.results === undefined))
        this.giveIn(run);
  }

  group(run: Run, { league, group }: Place): Row[] {
    return this.list(run).filter(({ person }) => {
      const place = run.places.get(person);
      return place?.league === league && place.group === group;
    });
  }

  close(): void {
    for (const run of this.runs) {
      if (run.final === undefined || run.results !== undefined) continue;
      this.giveIn(run);
      run.results = new Map();
      const before = new Map(this.people.map((person) => [person, person?.league]));
      const keys = new Map([...run.places.values()].map((place) => [`${place.league} ${place.group}`, place]));
      for (const place of [...keys.values()].toSorted((one, two) => one.league - two.league || one.group - two.group))
        this.settle(run, place, before);
      if (run.final.length > 0) run.prizes += 1;
    }
  }

  private settle(run: Run, place: Place, before: ReadonlyMap<Person | undefined, number | undefined>): void {
    const rows = this.group(run, place);
    const half = Math.floor(rows.length / 2);
    const moves = Math.min(MOVED, half);
    if (place.league === 1) run.prizes += rows.filter(({ value }) => value === rows[0]!.value).length;
    if (place.league === 2) run.prizes += Math.ceil(rows.length / 2);
    for (const [index, { person, value }] of rows.entries()) {
      const isUp = index < moves && place.league < NAMES.length;
      const isDown = index >= rows.length - moves && place.league > 1;
      const outcome = isUp ? 'PROMOTED' : isDown ? 'RELEGATED' : 'KEPT';
      run.results!.set(person, { rank: 1 + rows.filter((row) => row.value > value).length, outcome });
      const next = place.league + (isUp ? 1 : 0) - (isDown ? 1 : 0);
      const survivor = person.survivor();
      if (survivor === undefined) continue;
      if (survivor !== person) survivor.league = Math.max(survivor.league, next);
      else if (before.get(person)! <= place.league) person.league = next;
    }
  }
}

const step = fc.record({
  kind: fc.constantFrom(
    ...([
      'send',
      'send',
      'send',
      'send',
      'together',
      'together',
      'late',
      'reverse',
      'hide',
      'merge',
      'delete',
    ] as const),
    ...(['give', 'give', 'close', 'close', 'wait', 'day', 'day'] as const),
  ),
  who: fc.nat(PEOPLE - 1),
  host: fc.boolean(),
  amount: fc.integer({ min: 1, max: 3 }),
  which: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let worlds = 0;

async function newWorld(): Promise<{ readonly programmaticCode: string; readonly id: string }> {
  worlds += 1;
  const programmaticCode = `WORLD_${worlds}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const statistic = { code: programmaticCode, programmaticCode, aggregation: 'SUM', period: 'DAY' };
  await ok('POST', '/admin/statistic-definitions', { statisticDefinition: statistic });
  const prizes = [
    { lastRank: 1, league: 1, rewardIds: [rewardIds[0]] },
    { topShare: 0.5, ties: 'FIRST', league: 2, rewardIds: [rewardIds[1]] },
    { lastRank: 1, ties: 'FIRST', rewardIds: [rewardIds[2]] },
  ];
  const leagues = { names: NAMES, groupSize: SIZE, promoted: MOVED, relegated: MOVED };
  const leaderboard = { name: programmaticCode, statisticCode: programmaticCode, leagues, prizes };
  const { id } = await ok('POST', '/admin/leaderboards', { leaderboard });
  await ok('POST', `/admin/leaderboards/${id}/activate`);
  return { programmaticCode, id };
}

async function play(steps: readonly Step[], seen: Record<string, number>): Promise<void> {
  const { programmaticCode, id } = await newWorld();
  const league = new NaiveLeague();
  const { people } = league;
  const sent: { readonly id: string; readonly owner: Person; readonly event: Person['events'][number] }[] = [];
  const nameOf = (who: number) => `${worlds} ${who}`;
  const pathOf = (who: number) => encodeURIComponent(nameOf(who));

  async function send(events: readonly { who: number; at: number; amount: number }[], on: TestService): Promise<void> {
    const triggers = events.map(({ who, at, amount }) => {
      const occurredAt = new Date(at).toISOString();
      return { programmaticCode, accountId: nameOf(who), idType: 'EXTERNAL', metadata: { amount }, occurredAt };
    });
    await ok('POST', '/gamification/triggers/batch', { triggers }, on);
    const { rows } = await ok('GET', `/admin/journal?programmaticCode=${programmaticCode}&limit=${events.length}`);
    for (const [index, { who, at, amount }] of events.entries()) {
      people[who] ??= new Person((await ok('POST', '/accounts/resolve', { externalId: nameOf(who) })).id);
      const owner = people[who];
      const event = { at, left: amount };
      owner.events.push(event);
      sent.push({ id: (rows as Json[]).at(-1 - index).id, owner, event });
      const day = dayOf(at);
      if (league.run(day) === undefined && (day + 1) * DAY > now) league.runs.push(new Run(day));
      owner.touch(day, at);
    }
  }

  for (const { kind, who, host, amount, which } of steps) {
    const on = host ? service : other;
    now += 1_000;
    league.freeze();
    const person = people[who];
    const count = () => (seen[kind] = (seen[kind] ?? 0) + 1);
    if (kind === 'send') await send([{ who, at: now, amount }], on);
    else if (kind === 'late') await send([{ who, at: now - (16 + (which % 6)) * HOUR, amount }], on);
    else if (kind === 'together') {
      const events = [0, 1, 2, 3].map((index) => {
        return { who: (who + index) % PEOPLE, at: now - index, amount: 1 + ((amount + index) % 3) };
      });
      await send(events, on);
    } else if (kind === 'reverse') {
      const { id: journalEntryId, event, owner } = sent[which % Math.max(sent.length, 1)] ?? {};
      const holder = owner?.survivor();
      if (holder === undefined || event === undefined || event.left === 0) continue;
      await ok('POST', '/gamification/triggers/reversals', { journalEntryId }, on);
      event.left = 0;
      holder.touch(dayOf(event.at), now);
    } else if (kind === 'give') {
      await giveAll();
      league.give();
    } else if (kind === 'close') {
      await closeAll();
      league.close();
    } else if (kind === 'wait') {
      now += (1 + (which % 8)) * HOUR;
    } else if (kind === 'day') {
      now = (dayOf(now) + 1) * DAY + (which % 12) * HOUR + 1_000;
    } else if (person === undefined) continue;
    else if (kind === 'hide') {
      person.isHidden = which % 2 === 0;
      const visibility = { idType: 'EXTERNAL', hidden: person.isHidden };
      await ok('PUT', `/v1/accounts/${pathOf(who)}/visibility`, visibility, on);
    } else if (kind === 'merge') {
      const survivor = people[(who + 1) % PEOPLE];
      if (survivor === undefined || survivor === person || which % 2 > 0) continue;
      const merge = { intoAccountId: nameOf((who + 1) % PEOPLE), idType: 'EXTERNAL', progress: 'SUM' };
      await ok('POST', `/accounts/${pathOf(who)}/merge`, merge, on);
      survivor.events.push(...person.events);
      survivor.isHidden ||= person.isHidden;
      survivor.league = Math.max(survivor.league, person.league);
      person.into = survivor;
      for (const [index, each] of people.entries()) if (each === person) people[index] = survivor;
      for (const { day, final } of league.runs) if (final === undefined) survivor.touch(day, now);
      league.hasMerged = true;
    } else {
      if (which % 3 > 0) continue;
      await ok('DELETE', `/accounts/${pathOf(who)}?idType=EXTERNAL`, undefined, on);
      person.isGone = true;
      league.hasMerged = true;
      for (const [index, each] of people.entries()) if (each === person) people[index] = undefined;
    }
    count();
    league.freeze();
    league.arrive();
    await compare(kind, id, league, on);
  }
}

async function compare(kind: string, id: string, league: NaiveLeague, on: TestService): Promise<void> {
  const isWhole = kind === 'close' || kind === 'merge';
  const present = [...new Set(league.people)].filter((each) => each !== undefined);
  const today = league.run(dayOf(now));
  for (const person of isWhole ? present : present.slice(0, 3)) {
    const { place } = await ok('GET', `/v1/accounts/${person.id}/leaderboards/${id}`, undefined, on);
    expect(place, kind).toEqual(expectedPlace(league, today, person) ?? ofLeague(person.league));
  }
  if (!isWhole) return;
  const { rows: runs } = await ok('GET', `/v1/leaderboards/${id}/runs`, undefined, on);
  const byDay = new Map((runs as Json[]).map((run) => [dayOf(Date.parse(run.since)), run]));
  expect(new Set(byDay.keys())).toEqual(new Set(league.runs.map(({ day }) => day)));
  for (const run of league.runs) {
    const { status, promoted, relegated, prizesDelivered, id: runId } = byDay.get(run.day);
    const outcomes = [...(run.results?.values() ?? [])].map(({ outcome }) => outcome);
    const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
    const expected = { promoted: count('PROMOTED'), relegated: count('RELEGATED') };
    expect({ promoted, relegated }, `${kind} ${status}`).toEqual(expected);
    if (run.results !== undefined && !league.hasMerged) expect(prizesDelivered).toBe(run.prizes);
    const [place] = run.places.values();
    if (place === undefined) continue;
    const path = `/v1/leaderboards/${id}/runs/${runId}/entries/paginated?page=1&limit=10&league=${place.league}&group=${place.group}`;
    const { rows } = await ok('GET', path, undefined, on);
    const listed = league.group(run, place).filter(({ person }) => person.survivor() !== undefined);
    expect((rows as Json[]).map(({ value, rank }) => ({ value, rank }))).toEqual(
      listed.map(({ value }) => ({ value, rank: rankOf(league.group(run, place), value) })),
    );
  }
  for (const person of present) {
    const { rows } = await ok('GET', `/v1/accounts/${person.id}/leaderboards/${id}/runs`, undefined, on);
    for (const { run, place } of rows as Json[]) {
      const own = league.run(dayOf(Date.parse(run.since)));
      expect(place, kind).toEqual(expectedPlace(league, own, person));
    }
  }
}

const rankOf = (rows: readonly Row[], value: number) => 1 + rows.filter((row) => row.value > value).length;
const ofLeague = (league: number) => ({ league, leagueName: NAMES[league - 1] });

/** The group of a person in a run as the service answers it. */
function expectedPlace(league: NaiveLeague, run: Run | undefined, person: Person): Json {
  const place = run?.places.get(person);
  if (run === undefined || place === undefined) return undefined;
  const rows = league.group(run, place);
  const own = rows.find((row) => row.person === person);
  const outcome = run.results?.get(person)?.outcome;
  return {
    ...ofLeague(place.league),
    group: place.group,
    entries: rows.length,
    ...(own === undefined ? {} : { rank: rankOf(rows, own.value) }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

test('groups fill, and accounts move up and down, as in the naive model', async () => {
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 50 }), (steps) => play(steps, seen)),
    { ...runsOf({ numRuns: 4, seed: 352 }), endOnFailure: true },
  );
  if (runsOnDemand === undefined)
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
});
