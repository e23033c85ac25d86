import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { AccountContext } from '../account-context.ts';
import { memberSince } from '../admission.ts';
import type { MissionPlan } from '../missions/mission-plan.ts';
import { demandsOf } from '../missions/streaks/streak-run.ts';
import { oldestOpenPeriod, periodEnd, type PeriodRange } from '../time/calendar.ts';
import { oldestReachable, type PeriodNumber } from '../time/period.ts';
import type { AccountFreezes, FreezeLedger, FreezeMove, Freezes, FreezeUse } from './freeze-ledger.ts';

/** The parts of an account on which the use of its freezes depends. */
export type FreezingAccount = Pick<
  AccountContext,
  'accountId' | 'calendar' | 'assignments' | 'audiences' | 'vacations'
>;

/**
 * Decides which missed periods of an account's streaks are bridged by freezes. All streaks are walked from their settled runs, in the order
 * in which their periods end; of two that end at once, the one of the lower position goes first, then the one of the lower id. A stored use
 * is final once no late event reaches its period; until then it follows from the events alone, however often somebody has looked.
 */
export function freezesAt(
  plans: readonly MissionPlan[],
  ledger: FreezeLedger,
  account: FreezingAccount,
  now: Timestamp,
): Freezes {
  const byId = new Map(plans.map((plan) => [plan.missionId, plan]));
  const final = ledger.uses.filter(({ missionId, period, at }) => {
    const plan = byId.get(missionId);
    if (plan === undefined) return at <= oldestReachable(now);
    return period < oldestOpenPeriod(plan.periodUnit, account.calendar, now);
  });
  const uses = [...final];
  const periods = new Map<string, PeriodRange[]>();
  const bridge = ({ missionId, period }: FreezeUse) => {
    const own = periods.get(missionId) ?? [];
    own.push({ first: period, last: period });
    periods.set(missionId, own);
  };
  for (const use of final) bridge(use);
  const walks = plans.flatMap((plan) => walkOf(plan, account, now) ?? []);
  for (;;) {
    const next = earliest(walks);
    if (next === undefined) break;
    const { missionId } = next.plan;
    const use = { missionId, period: next.period, at: next.at };
    const isFinal = final.some((other) => other.missionId === missionId && other.period === next.period);
    const isBridged = isFinal || leastOwned(ledger.moves, uses, use.at) > 0;
    if (isBridged && !isFinal) {
      uses.push(use);
      bridge(use);
    }
    next.answer(isBridged);
  }
  const past = uses.filter(({ at }) => at <= now).toSorted((one, other) => one.at - other.at);
  return { owned: Math.max(0, sumOf(ledger.moves, past, now)), uses: past, periods };
}

/** A walk through the periods of a streak that stands at a missed one. */
type Walk = {
  readonly plan: MissionPlan;
  period: PeriodNumber;
  at: Timestamp;
  isOver: boolean;
  /** Continues to the next missed period, after the answer whether this one is bridged. */
  readonly answer: (isBridged: boolean) => void;
};

function walkOf(plan: MissionPlan, account: FreezingAccount, now: Timestamp): Walk | undefined {
  const state = account.assignments.get(plan.missionId);
  if (state === undefined || memberSince(plan, account) === Infinity) return undefined;
  const demands = demandsOf(plan, state, account, now);
  const stand = ({ done, value }: IteratorResult<PeriodNumber, void>) => {
    walk.isOver = done === true;
    if (value === undefined) return;
    walk.period = value;
    walk.at = periodEnd(plan.periodUnit, value, account.calendar);
    // A streak misses no period in which it closes.
    if (walk.at > plan.closesAt) walk.isOver = true;
  };
  const walk: Walk = {
    plan,
    ...{ period: 0, at: 0, isOver: false },
    answer: (isBridged) => stand(demands.next(isBridged)),
  };
  // The first answer begins the walk.
  walk.answer(true);
  return walk.isOver ? undefined : walk;
}

function earliest(walks: readonly Walk[]): Walk | undefined {
  let first: Walk | undefined;
  for (const walk of walks) if (!walk.isOver && (first === undefined || isBefore(walk, first))) first = walk;
  return first;
}

function isBefore(one: Walk, other: Walk): boolean {
  if (one.at !== other.at) return one.at < other.at;
  if (one.plan.position !== other.plan.position) return one.plan.position < other.plan.position;
  return one.plan.missionId < other.plan.missionId;
}

/** The least number of freezes from just before an instant on, so that a use then takes none that a later use has. */
function leastOwned(moves: readonly FreezeMove[], uses: readonly FreezeUse[], at: Timestamp): number {
  const later = [...moves.filter(({ count }) => count < 0), ...uses]
    .map((each) => each.at)
    .filter((each) => each >= at);
  // A freeze that is got at the end of a period comes too late for it.
  const before = sumOf(
    moves.filter((move) => move.at < at),
    uses,
    at,
  );
  return Math.min(before, ...later.map((instant) => sumOf(moves, uses, instant)));
}

/** The freezes that were got by an instant, less those that were used. */
function sumOf(moves: readonly FreezeMove[], uses: readonly FreezeUse[], until: Timestamp): number {
  const got = moves.reduce((sum, { at, count }) => sum + (at <= until ? count : 0), 0);
  return got - uses.reduce((sum, { at }) => sum + Number(at <= until), 0);
}

/** The uses to store, and the stored ones that are taken back because their periods are kept now. */
export type ChangedUses = { readonly added: readonly FreezeUse[]; readonly returned: readonly FreezeUse[] };

/** Compares the present uses with the stored ones. A period may have two: accounts that became one may both have bridged it. */
export function changedUses({ ledger, present }: AccountFreezes): ChangedUses {
  return { added: withoutEach(present.uses, ledger.uses), returned: withoutEach(ledger.uses, present.uses) };
}

/** The uses without one for each of the others of the same period. */
function withoutEach(uses: readonly FreezeUse[], others: readonly FreezeUse[]): FreezeUse[] {
  const counts = new Map<string, number>();
  const key = ({ missionId, period }: FreezeUse) => `${missionId} ${period}`;
  for (const other of others) counts.set(key(other), (counts.get(key(other)) ?? 0) + 1);
  return uses.filter((use) => {
    const left = counts.get(key(use)) ?? 0;
    if (left > 0) counts.set(key(use), left - 1);
    return left === 0;
  });
}

/** Decides again after a change of the account's assignments. */
export function renewFreezes(
  plans: readonly MissionPlan[],
  account: FreezingAccount & Pick<AccountContext, 'freezes'>,
  now: Timestamp,
): void {
  const { freezes } = account;
  if (freezes !== undefined) freezes.present = freezesAt(plans, freezes.ledger, account, now);
}

/** The freezes of a milestone that the account has still, as far as they were not taken back. */
export function freezesOfMilestone({ moves }: FreezeLedger, missionId: string, length: number): number {
  return moves.reduce(
    (sum, { count, milestone }) =>
      milestone?.missionId === missionId && milestone.length === length ? sum + count : sum,
    0,
  );
}
