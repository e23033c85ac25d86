import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssignmentState } from '../../src/engine/assignment.ts';
import { applyEvent, recordDecisions } from '../../src/engine/apply-event.ts';
import { changedUses, freezesAt } from '../../src/engine/freezes/account-freezes.ts';
import type { AccountFreezes, FreezeMove, FreezeUse } from '../../src/engine/freezes/freeze-ledger.ts';
import { ENDLESS, type MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { viewMission } from '../../src/engine/missions/view-mission.ts';
import { calendarOf, calendarOfZone, dayAt } from '../../src/engine/time/calendar.ts';
import { dateOfDay, joinedVacations, splitVacations, type Vacation } from '../../src/engine/time/vacation.ts';
import { ONE } from '../../src/kernel/amount.ts';
import { HOUR, instant, mission, player, units } from './fixtures.ts';
import { type Announcement, type Arrival, type Life, lifeUntil, replayFreezes, vacationDays } from './naive-model.ts';

const RUNS = Number(process.env['LAUREL_RULES_RUNS'] ?? 300);
const seed = Number(process.env['LAUREL_RULES_SEED'] ?? 1);

/** An account with freezes: the service stores the uses after each event. */
class Owner {
  readonly rules: readonly MissionRule[];
  readonly life: Life;
  readonly moves: FreezeMove[] = [];
  readonly assignments = new Map<string, AssignmentState>();
  /** The uses that were stored, and those that were taken back again. */
  added = 0;
  returned = 0;
  #uses: readonly FreezeUse[] = [];
  #vacations: readonly Vacation[] = [];

  constructor(rules: readonly MissionRule[], life: Life) {
    this.rules = rules;
    this.life = life;
  }

  at(now: number) {
    const { stays } = lifeUntil(this.life, now);
    const past = stays.slice(1).map(({ from }, index) => ({ until: from, timeZone: stays[index]!.zone }));
    const calendar = calendarOf({ timeZone: stays.at(-1)!.zone, past }, calendarOfZone('UTC'));
    const account = player(this.rules, [], { calendar, assignments: this.assignments, vacations: this.#vacations });
    const ledger = { moves: this.moves.filter(({ at }) => at <= now), uses: this.#uses };
    const plans = [...account.catalog.missions.values()];
    const freezes: AccountFreezes = { ledger, present: freezesAt(plans, ledger, account, now) };
    return { ...account, freezes, plans };
  }

  send(code: string, arrival: Arrival): void {
    const account = this.at(arrival.now);
    const event = { programmaticCode: code, amount: arrival.amount, attributes: account.attributes };
    const times = { occurredAt: arrival.at, acceptedAt: arrival.now };
    const plans = account.plans.filter(({ programmaticCode }) => programmaticCode === code);
    recordDecisions(account.assignments, applyEvent(plans, account, { ...event, ...times }, arrival.now));
    for (const [key, state] of this.assignments)
      this.assignments.set(key, { ...state, detail: JSON.parse(JSON.stringify(state.detail)) });
    this.store(arrival.now);
  }

  /** Announces days in place of those ahead. @returns the days that it said, as dates */
  announce(now: number, days: readonly Vacation[]): string[] {
    const today = dayAt(this.at(now).calendar, now);
    const wanted = days.map(({ first, last }) => ({ first: today + first, last: today + last }));
    const [{ begun }, { ahead }] = [splitVacations(this.#vacations, today), splitVacations(wanted, today)];
    this.#vacations = joinedVacations([...begun, ...ahead]);
    return wanted.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, index) => dateOfDay(first + index)),
    );
  }

  store(now: number): void {
    const { freezes } = this.at(now);
    const { added, returned } = changedUses(freezes);
    this.added += added.length;
    this.returned += returned.length;
    this.#uses = [...this.#uses.filter((use) => !returned.includes(use)), ...added];
  }
}

const zones = fc.constantFrom('Pacific/Niue', 'America/Santiago', 'UTC', 'Europe/Madrid', 'Pacific/Kiritimati');

/** Streaks without an end, each with a separate code. */
const streaks = fc.array(
  fc.record({
    type: fc.constant('STREAK' as const),
    period: fc.constantFrom('DAY' as const, 'DAY' as const, 'WEEK' as const),
    gracePeriods: fc.integer({ min: 0, max: 2 }),
    perPeriodTarget: fc.constantFrom(ONE, ONE, units(2)),
    position: fc.integer({ min: 0, max: 1 }),
    conditions: fc.constantFrom({}, {}, { daysOfWeek: [1, 2, 3, 4, 5] }),
  }),
  { minLength: 1, maxLength: 3 },
);

const deeds = fc.array(
  fc.record({
    gap: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 8 * HOUR }) },
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 40 * HOUR }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 300 * HOUR }) },
    ),
    does: fc.constantFrom(
      ...Array<'event'>(10).fill('event'),
      'get',
      'get',
      'look',
      'look',
      'move',
      'announce',
      'announce',
    ),
    which: fc.nat({ max: 2 }),
    late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 24 * HOUR })),
    zone: zones,
    away: fc.array(
      fc
        .tuple(fc.integer({ min: -2, max: 12 }), fc.integer({ min: 0, max: 6 }))
        .map(([first, more]) => ({ first, last: first + more })),
      { maxLength: 2 },
    ),
  }),
  { minLength: 12, maxLength: 40, size: 'max' },
);

/** The rules in the order in which they get freezes at the same time. */
function inOrder(rules: readonly MissionRule[]): MissionRule[] {
  return rules.toSorted((one, other) => one.position! - other.position! || (one.id < other.id ? -1 : 1));
}

describe('freezes and vacations', () => {
  test('bridge the periods that a replay from scratch bridges, with reads and writes between', () => {
    const done = { added: 0, returned: 0, away: 0 };
    fc.assert(
      fc.property(streaks, zones, deeds, fc.integer({ min: 0, max: 100 * HOUR }), (drafts, zone, steps, rest) => {
        const rules = drafts.map((draft, index) =>
          mission({ ...draft, id: `m${index}`, programmaticCode: `C${index}`, target: ENDLESS, rewardIds: [] }),
        );
        let now = instant('2026-03-26T09:00:00Z');
        const stays = [{ from: -Infinity, zone }];
        const announcements: Announcement[] = [];
        const life: Life = { stays, pauses: [], announcements };
        const owner = new Owner(rules, life);
        const arrivals = rules.map((): Arrival[] => []);
        for (const { gap, does, which, late, zone: to, away } of steps) {
          now += gap + 1;
          const index = which % rules.length;
          if (does === 'move') stays.push({ from: now, zone: to });
          else if (does === 'announce') announcements.push({ at: now, dates: owner.announce(now, away) });
          else if (does === 'look') owner.store(now);
          else if (does === 'get') {
            owner.store(now);
            owner.moves.push({ at: now, count: 1 });
          } else {
            const arrival = { at: now - late, now, amount: ONE };
            arrivals[index]!.push(arrival);
            owner.send(`C${index}`, arrival);
          }
        }
        now += rest;
        const ordered = inOrder(rules);
        const streaksOf = ordered.map((rule) => ({ rule, arrivals: arrivals[rules.indexOf(rule)]! }));
        const expected = replayFreezes(streaksOf, life, owner.moves, now);
        const account = owner.at(now);
        expect(account.freezes.present.owned).toBe(expected.owned);
        const runs = ordered.map(({ id }) => viewMission(account.plan(id), account, now)?.streak);
        expect(runs).toEqual(expected.runs);
        for (const { id } of ordered) {
          const keepUntil = viewMission(account.plan(id), account, now)?.today?.keepUntil;
          if (keepUntil === undefined) continue;
          const runAt = (at: number) => viewMission(account.plan(id), owner.at(at), at)!.streak!.current;
          expect(runAt(keepUntil - 1)).toBeGreaterThan(0);
          expect(runAt(keepUntil)).toBe(0);
        }
        done.added += owner.added;
        done.returned += owner.returned;
        done.away += vacationDays(life).size;
      }),
      { numRuns: RUNS, seed },
    );
    expect(done.added).toBeGreaterThan(RUNS);
    expect(done.returned).toBeGreaterThan(RUNS / 100);
    expect(done.away).toBeGreaterThan(RUNS);
  });
});
