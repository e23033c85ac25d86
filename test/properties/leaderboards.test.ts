// Leaderboards against a naive model that sorts everything after each step, on two hosts, while deltas are folded into tiny ranges.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillLeaderboards } from '../../src/leaderboards/entries/fill-leaderboards.ts';
import { foldDeltas } from '../../src/leaderboards/ranks/fold-deltas.ts';
import { closeRuns } from '../../src/leaderboards/runs/close-runs.ts';
import { differences } from '../operations/rewards/provision.ts';
import { testDatabase } from '../support/database.ts';
import { type RestAnswer, restAs, startService, type TestService } from '../support/service.ts';
import { runsOf, runsOnDemand } from './runs.ts';

type Json = RestAnswer['body'];

const DAY = 86_400_000;
const HOUR = 3_600_000;
const LATE_HOURS = 12;
const PEOPLE = 6;

/** The shares of a distribution. */
const SHARES = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];

type Aggregation = 'SUM' | 'COUNT' | 'MAX' | 'LAST' | 'DAYS';
type Statistic = { readonly aggregation: Aggregation; readonly period: 'ALL_TIME' | 'DAY' };

/** The audiences of a board: everyone, those whom an administrator puts in, or those with an attribute. */
type Audience = 'everyone' | 'manual' | 'rule';
type Board = Statistic & { readonly order: 'HIGHEST_FIRST' | 'LOWEST_FIRST'; readonly audience: Audience };

const BOARDS: readonly Board[] = [
  { aggregation: 'SUM', period: 'DAY', order: 'HIGHEST_FIRST', audience: 'everyone' },
  { aggregation: 'SUM', period: 'ALL_TIME', order: 'HIGHEST_FIRST', audience: 'rule' },
  { aggregation: 'COUNT', period: 'DAY', order: 'HIGHEST_FIRST', audience: 'manual' },
  { aggregation: 'MAX', period: 'DAY', order: 'HIGHEST_FIRST', audience: 'everyone' },
  { aggregation: 'LAST', period: 'ALL_TIME', order: 'LOWEST_FIRST', audience: 'everyone' },
  { aggregation: 'DAYS', period: 'ALL_TIME', order: 'HIGHEST_FIRST', audience: 'everyone' },
];

let service: TestService;
let other: TestService;
/** The clock of both hosts. */
let now = Date.parse('2026-12-29T15:00:00Z');
let manualAudienceId: string;
let ruleAudienceId: string;

beforeAll(async () => {
  const database = await testDatabase();
  const options = { clock: () => new Date(now), journal: 'byHash' } as const;
  service = await startService({ ...options, database });
  // The first one drops the database.
  other = await startService({ ...options, database: { ...database, drop: async () => {} } });
  const { version } = await ok('GET', '/admin/account-attributes');
  await ok('PUT', '/admin/account-attributes', { version, attributes: [{ name: 'isIn', type: 'BOOLEAN' }] });
  ({ id: manualAudienceId } = await ok('POST', '/admin/audiences', { name: 'manual', kind: 'MANUAL' }));
  const rule = { name: 'rule', kind: 'RULE', expression: 'account.isIn == true' };
  ({ id: ruleAudienceId } = await ok('POST', '/admin/audiences', rule));
});
afterAll(async () => {
  await closeRuns(service.db, service.clientId, new Date(now));
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
const periodOf = ({ period }: Statistic, at: number) => (period === 'DAY' ? dayOf(at) : 0);

/** The state of an account on a board, in a period. */
type Entry = { value: number | undefined; reachedAt: number; isMember: boolean };

/** An account whose values are added up from scratch each time. */
class NaiveAccount {
  readonly events: Event[] = [];
  isHidden = false;
  isIn = false;
  isAssigned = false;
  /** The amount that corrections added to the sum of all time. */
  corrected = 0;
  readonly entries = new Map<string, Entry>();

  private ofPeriod(statistic: Statistic, period: number): Event[] {
    return this.events.filter(({ at, left }) => left > 0 && periodOf(statistic, at) === period);
  }

  /** The last event of a statistic of LAST: the latest, and of several at one moment the one that was applied last. */
  last(statistic: Statistic, period: number): Event | undefined {
    return this.ofPeriod(statistic, period).reduce<Event | undefined>(
      (last, event) => (last === undefined || event.at >= last.at ? event : last),
      undefined,
    );
  }

  /** The value that ranks; undefined for none. */
  value(statistic: Statistic, period: number): number | undefined {
    const events = this.ofPeriod(statistic, period);
    const amounts = events.map(({ left }) => left);
    const sum = amounts.reduce((total, left) => total + left, 0);
    switch (statistic.aggregation) {
      case 'SUM':
        return sum + (statistic.period === 'ALL_TIME' ? this.corrected : 0) || undefined;
      case 'COUNT':
        return events.length || undefined;
      case 'MAX':
        return amounts.length === 0 ? undefined : Math.max(...amounts);
      case 'LAST':
        return this.last(statistic, period)?.left;
      case 'DAYS':
        return new Set(events.map(({ at }) => dayOf(at))).size || undefined;
    }
  }

  isMember({ audience }: Board): boolean {
    return audience === 'everyone' || (audience === 'manual' ? this.isAssigned : this.isIn);
  }
}

type Run = { isOpen: boolean; final: Json[] | undefined };

/** All boards of a world, sorted from scratch after each step. */
class NaiveBoards {
  readonly models: (NaiveAccount | undefined)[];
  /** The runs of each board, by period. */
  readonly runs: Map<Board, Map<number, Run>> = new Map(BOARDS.map((board) => [board, new Map()]));
  readonly activatedAt: number;

  constructor(activatedAt: number) {
    this.activatedAt = activatedAt;
    this.models = Array.from({ length: PEOPLE }, () => undefined);
  }

  private entryKey(board: Board, period: number): string {
    return `${BOARDS.indexOf(board)} ${period}`;
  }

  /** Ranks an account after an event, which enters the boards of its audiences and leaves the others. */
  counted(model: NaiveAccount, at: number): void {
    for (const [board, runs] of this.runs) {
      const period = periodOf(board, at);
      const isMember = model.isMember(board);
      const until = board.period === 'DAY' ? (period + 1) * DAY : Infinity;
      const mayBegin = until > this.activatedAt && until + LATE_HOURS * HOUR > now;
      if (isMember && !runs.has(period) && mayBegin) runs.set(period, { isOpen: true, final: undefined });
      if (!runs.get(period)?.isOpen) continue;
      const key = this.entryKey(board, period);
      const before = model.entries.get(key);
      if (before === undefined && !isMember) continue;
      this.renew(model, board, period, at);
      model.entries.get(key)!.isMember = isMember;
    }
  }

  /** Ranks an account after anything else. */
  changed(model: NaiveAccount): void {
    for (const [board, runs] of this.runs)
      for (const [period, run] of runs) {
        const isPresent = model.entries.has(this.entryKey(board, period));
        const isEntered = board.audience === 'everyone' && model.value(board, period) !== undefined;
        if (run.isOpen && (isPresent || isEntered)) this.renew(model, board, period, now);
      }
  }

  private renew(model: NaiveAccount, board: Board, period: number, reachedAt: number): void {
    const key = this.entryKey(board, period);
    const value = model.value(board, period);
    const entry = model.entries.get(key) ?? { value: undefined, reachedAt, isMember: board.audience === 'everyone' };
    const isLast = board.aggregation === 'LAST';
    if (isLast && value !== undefined) entry.reachedAt = model.last(board, period)!.at;
    else if (value !== entry.value) entry.reachedAt = reachedAt;
    entry.value = value;
    model.entries.set(key, entry);
  }

  /** Makes the runs final whose time has come: the close itself changes nothing. */
  freeze(): void {
    for (const [board, runs] of this.runs)
      for (const [period, run] of runs) {
        if (!run.isOpen || board.period !== 'DAY' || (period + 1) * DAY + LATE_HOURS * HOUR > now) continue;
        run.final = this.listed(board, period);
        run.isOpen = false;
      }
  }

  /** The list of a run, sorted and ranked from scratch. A final one loses only accounts that are gone. */
  listed(board: Board, period: number): Json[] {
    const { final } = this.runs.get(board)!.get(period)!;
    if (final !== undefined) return final.filter(({ model }) => this.models.includes(model));
    const rows = this.models.flatMap((model, who) => {
      const entry = model?.entries.get(this.entryKey(board, period));
      const isShown = model !== undefined && !model.isHidden && this.models.indexOf(model) === who;
      return entry?.value === undefined || !entry.isMember || !isShown ? [] : [{ model, ...entry }];
    });
    const better = (one: Json, two: Json) =>
      board.order === 'HIGHEST_FIRST' ? two.value - one.value : one.value - two.value;
    return rows
      .toSorted((one, two) => better(one, two) || one.reachedAt - two.reachedAt)
      .map((row) => ({ ...row, rank: 1 + rows.filter((each) => better(each, row) < 0).length }));
  }
}

const step = fc.record({
  kind: fc.constantFrom(
    ...(['send', 'send', 'send', 'send', 'send', 'late', 'late', 'together', 'reverse', 'reverse'] as const),
    ...(['wait', 'hide', 'assign', 'attribute', 'merge', 'delete', 'erase', 'correct', 'fold', 'close'] as const),
  ),
  who: fc.nat(PEOPLE - 1),
  host: fc.boolean(),
  amount: fc.integer({ min: 1, max: 4 }),
  which: fc.nat(),
  part: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let worlds = 0;

/** Each board is compared after each step, and in long runs after one of so many, each board after another one. */
const COMPARED_EACH = runsOnDemand === undefined ? 1 : BOARDS.length;

async function newWorld(): Promise<{ readonly programmaticCode: string; readonly ids: readonly string[] }> {
  const { rows: old } = await ok('GET', '/admin/leaderboards/paginated?page=1&limit=100');
  for (const { id } of old) await removeBoard(id);
  const { rows } = await ok('GET', '/admin/statistic-definitions/paginated?page=1&limit=100');
  for (const { id } of rows) await ok('DELETE', `/admin/statistic-definitions/${id}`);
  worlds += 1;
  const programmaticCode = `WORLD_${worlds}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const ids: string[] = [];
  for (const { aggregation, period, order, audience } of BOARDS) {
    const code = `${aggregation}_${period}_${worlds}`;
    await ok('POST', '/admin/statistic-definitions', {
      statisticDefinition: { code, programmaticCode, aggregation, period },
    });
    const audienceIds = { everyone: [], manual: [manualAudienceId], rule: [ruleAudienceId] }[audience];
    const { id } = await ok('POST', '/admin/leaderboards', {
      leaderboard: { name: code, statisticCode: code, order, audienceIds, lateHours: LATE_HOURS },
    });
    await ok('POST', `/admin/leaderboards/${id}/activate`);
    ids.push(id);
  }
  // Nobody has a value yet.
  await fillLeaderboards(service.db, service.clientId, new Date(now), () => Promise.resolve(new Map()));
  return { programmaticCode, ids };
}

async function removeBoard(id: string): Promise<void> {
  await ok('POST', `/admin/leaderboards/${id}/end`);
  for (const run of (await ok('GET', `/v1/leaderboards/${id}/runs?limit=200`)).rows)
    if (run.status === 'OPEN')
      await ok('POST', `/admin/leaderboards/${id}/runs/${run.id}/cancel`, { reason: 'The world is over.' });
  await closeRuns(service.db, service.clientId, new Date(now));
  await ok('DELETE', `/admin/leaderboards/${id}`);
}

async function play(steps: readonly Step[], seen: Record<string, number>): Promise<void> {
  const { programmaticCode, ids } = await newWorld();
  const boards = new NaiveBoards(now);
  const { models } = boards;
  const sent: { readonly id: string; readonly event: Event }[] = [];
  const nameOf = (who: number) => `${worlds} ${who}`;
  const pathOf = (who: number) => encodeURIComponent(nameOf(who));
  const accountOf = (who: number) => (models[who] ??= new NaiveAccount());

  async function send(events: readonly { who: number; at: number; amount: number }[], on: TestService): Promise<void> {
    const triggers = events.map(({ who, at, amount }) => {
      const occurredAt = new Date(at).toISOString();
      return { programmaticCode, accountId: nameOf(who), idType: 'EXTERNAL', metadata: { amount }, occurredAt };
    });
    const [first] = triggers;
    if (triggers.length === 1) await ok('POST', '/gamification/triggers', first, on);
    else await ok('POST', '/gamification/triggers/batch', { triggers }, on);
    const { rows } = await ok('GET', `/admin/journal?programmaticCode=${programmaticCode}&limit=${events.length}`);
    for (const [index, { who, at, amount }] of events.entries()) {
      const event = { at, left: amount };
      accountOf(who).events.push(event);
      sent.push({ id: (rows as Json[]).at(-1 - index).id, event });
      boards.counted(accountOf(who), at);
    }
  }

  for (const [index, { kind, who, host, amount, which, part }] of steps.entries()) {
    const on = host ? service : other;
    now += 1_000;
    boards.freeze();
    const model = models[who];
    const count = () => (seen[kind] = (seen[kind] ?? 0) + 1);
    if (kind === 'send' || kind === 'late') {
      await send([{ who, at: kind === 'send' ? now : now - (1 + (which % 22)) * HOUR, amount }], on);
      count();
    } else if (kind === 'together') {
      // Several events of few accounts share a transaction.
      const events = Array.from({ length: 5 }, (_, index) => ({
        who: (who + (index % 2)) % PEOPLE,
        at: now - ((which + index * 5) % 20) * HOUR - index,
        amount: 1 + ((amount + index) % 4),
      }));
      await send(events, on);
      count();
    } else if (kind === 'reverse') {
      const { id, event } = sent[which % Math.max(sent.length, 1)] ?? {};
      const owner = models.find((each) => each?.events.includes(event!));
      const taken = part ?? event?.left ?? 0;
      if (event === undefined || owner === undefined || event.left === 0 || taken > event.left) continue;
      await ok('POST', '/gamification/triggers/reversals', { journalEntryId: id, amount: taken }, on);
      event.left -= taken;
      boards.changed(owner);
      count();
    } else if (kind === 'wait') {
      now += (1 + (which % 20)) * HOUR;
      boards.freeze();
      count();
    } else if (kind === 'fold') {
      await foldDeltas(on.db, service.clientId, { arrivalsMax: 2, entriesMax: 2, shareMax: 0, rangesMax: 3 });
      count();
    } else if (kind === 'close') {
      await closeRuns(on.db, service.clientId, new Date(now));
      count();
    } else if (model === undefined) continue;
    else if (kind === 'hide') {
      model.isHidden = which % 2 === 0;
      await ok('PUT', `/v1/accounts/${pathOf(who)}/visibility`, { idType: 'EXTERNAL', hidden: model.isHidden }, on);
      count();
    } else if (kind === 'assign') {
      model.isAssigned = which % 3 > 0;
      const { id } = await ok('POST', '/accounts/resolve', { externalId: nameOf(who) });
      const [method, verb] = model.isAssigned ? ['POST', 'assign'] : ['DELETE', 'remove'];
      await ok(method, `/gamification/audiences/${manualAudienceId}/accounts/${verb}`, { accountIds: [id] }, on);
      count();
    } else if (kind === 'attribute') {
      model.isIn = which % 3 > 0;
      const { id } = await ok('POST', '/accounts/resolve', { externalId: nameOf(who) });
      await ok('PATCH', `/accounts/${id}`, { attributes: { isIn: model.isIn } }, on);
      count();
    } else if (kind === 'merge') {
      const into = (who + 1) % PEOPLE;
      const survivor = models[into];
      if (survivor === undefined || survivor === model || which % 2 > 0) continue;
      const merge = { intoAccountId: nameOf(into), idType: 'EXTERNAL', progress: 'SUM' };
      await ok('POST', `/accounts/${pathOf(who)}/merge`, merge, on);
      // The survivor's event is the last one of two at one moment.
      survivor.events.unshift(...model.events);
      survivor.corrected += model.corrected;
      survivor.isHidden ||= model.isHidden;
      survivor.isAssigned ||= model.isAssigned;
      for (const [index, each] of models.entries()) if (each === model) models[index] = survivor;
      for (const runs of boards.runs.values())
        for (const { final = [] } of runs.values())
          for (const row of final) if (row.model === model) row.model = survivor;
      boards.changed(survivor);
      const { attributes } = await ok('GET', `/accounts/${pathOf(into)}?idType=EXTERNAL`);
      survivor.isIn = attributes?.isIn ?? false;
      count();
    } else if (kind === 'delete' || kind === 'erase') {
      if (which % 3 > 0) continue;
      if (kind === 'delete') await ok('DELETE', `/accounts/${pathOf(who)}?idType=EXTERNAL`, undefined, on);
      else await ok('POST', `/accounts/${pathOf(who)}/erase?idType=EXTERNAL`, {}, on);
      for (const [index, each] of models.entries()) if (each === model) models[index] = undefined;
      count();
    } else {
      const value = which % 9;
      const sum = model.value(BOARDS[1]!, 0) ?? 0;
      await ok(
        'POST',
        `/admin/accounts/${pathOf(who)}/statistics/correct`,
        { idType: 'EXTERNAL', code: `SUM_ALL_TIME_${worlds}`, value, reason: 'A model says so.' },
        on,
      );
      model.corrected += value - sum;
      boards.changed(model);
      count();
    }
    const isLast = index === steps.length - 1;
    for (const [number, board] of BOARDS.entries())
      if (isLast || index % COMPARED_EACH === number % COMPARED_EACH)
        await compare(kind, ids[number]!, board, boards, on);
  }
}

let compared = 0;

async function compare(kind: string, id: string, board: Board, boards: NaiveBoards, on: TestService): Promise<void> {
  const { rows: runs } = await ok('GET', `/v1/leaderboards/${id}/runs?limit=200`, undefined, on);
  const known = boards.runs.get(board)!;
  const periodOfRun = ({ since }: Json) => (since === undefined ? 0 : dayOf(Date.parse(since)));
  const about = `${kind} ${board.aggregation} ${board.period}`;
  // Accounts that are gone leave a gap in a final run: their entries stay.
  const entriesOf = (run: Json) => known.get(periodOfRun(run))!.final ?? boards.listed(board, periodOfRun(run));
  expect((runs as Json[]).map(periodOfRun), about).toEqual([...known.keys()].toSorted((one, two) => two - one));
  for (const run of runs) {
    const path = `/v1/leaderboards/${id}/runs/${run.id}/entries/paginated?page=1&limit=100`;
    const { rows } = await ok('GET', path, undefined, on);
    const expected = boards.listed(board, periodOfRun(run));
    const shown = (rows as Json[]).map(({ rank, value, reachedAt, externalId }) => {
      return { rank, value, reachedAt: Date.parse(reachedAt), who: boards.models[Number(externalId.split(' ')[1])] };
    });
    // Accounts that reached one value at one moment are listed by their ids, which the model does not know.
    const inOrder = (list: Json[]) => list.map(({ rank, value, reachedAt }) => ({ rank, value, reachedAt }));
    expect(inOrder(shown), about).toEqual(inOrder(expected));
    // Two accounts that became one after a run was final have both of their entries in it.
    const values = (list: Json[], of: 'who' | 'model') =>
      list.map((row) => `${boards.models.indexOf(row[of])} ${row.value}`).toSorted();
    expect(values(shown, 'who'), about).toEqual(values(expected, 'model'));
  }
  // The present run and the one before, which may be final, in turns.
  const run = runs[(compared += 1) % 2] ?? runs[0];
  if (run !== undefined)
    await compareDistribution(about, `/admin/leaderboards/${id}/runs/${run.id}/distribution`, entriesOf(run), on);
  await compareRanks(about, id, board, boards, on);
}

/** The value at the end of each share of a run, beside the list of all entries. */
async function compareDistribution(
  about: string,
  path: string,
  listed: readonly Json[],
  on: TestService,
): Promise<void> {
  const { entries, rows } = await ok('GET', path, undefined, on);
  expect(entries, about).toBe(listed.length);
  expect((rows as Json[]).map(({ topShare }) => topShare)).toEqual(entries === 0 ? [] : SHARES);
  for (const { topShare, accounts, value } of rows) {
    expect(accounts, about).toBe(Math.ceil((topShare * 100 * entries) / 100));
    expect(value, about).toBe(listed[accounts - 1].value);
  }
}

/** The ranks of all accounts in the current run, one by one, and with the entries around them. */
async function compareRanks(
  about: string,
  id: string,
  board: Board,
  boards: NaiveBoards,
  on: TestService,
): Promise<void> {
  const period = periodOf(board, now);
  if (!boards.runs.get(board)!.has(period)) return;
  const expected = boards.listed(board, period);
  const { models } = boards;
  const accountIds = models.map((_, who) => `${worlds} ${who}`);
  const { rows } = await ok('POST', `/v1/leaderboards/${id}/ranks`, { accountIds, idType: 'EXTERNAL' }, on);
  const ranks = expected.map(({ rank }) => rank);
  for (const [who, model] of models.entries()) {
    const place = expected.findIndex((row) => row.model === model);
    const own = (rows as Json[]).find(({ externalId }) => models[Number(externalId.split(' ')[1])] === model);
    expect(own?.rank, about).toBe(model === undefined ? undefined : ranks[place]);
    if (model === undefined || place === -1 || who > 1) continue;
    const path = `/v1/accounts/${encodeURIComponent(accountIds[who]!)}/leaderboards/${id}?idType=EXTERNAL&around=2`;
    const { entry, rows: entriesAround, entries } = await ok('GET', path, undefined, on);
    expect({ rank: entry.rank, entries }, about).toEqual({ rank: ranks[place], entries: expected.length });
    const around = ranks.slice(Math.max(0, place - 2), place + 3);
    expect(
      (entriesAround as Json[]).map(({ rank }) => rank),
      about,
    ).toEqual(around);
  }
}

test('whatever moves, ties, hides, joins or leaves, the ranks are those of the naive model', async () => {
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50 }), (steps) => play(steps, seen)),
    { ...runsOf({ numRuns: 6, seed: 351 }), endOnFailure: true },
  );
  if (runsOnDemand === undefined)
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
});
