import type { ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import { keptAmount } from '../../campaigns/expressions/kept-event.ts';
import type { Amount } from '../../kernel/amount.ts';
import { assignmentKey, type AssignmentState, NO_PERIOD } from '../../engine/assignment.ts';
import type { AccountFreezes } from '../../engine/freezes/freeze-ledger.ts';
import type { MissionPlan } from '../../engine/missions/mission-plan.ts';
import { missionTypes } from '../../engine/missions/mission-types.ts';
import type { MissionReversal } from '../../engine/missions/reverse.ts';
import { periodKey } from '../../engine/time/period.ts';
import type { Calendar } from '../../engine/time/calendar.ts';
import type { Vacation } from '../../engine/time/vacation.ts';
import { countedByProgress, type JournalDetails, riseOf } from '../../journal/journal-row.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/** The part of an event that counted for a mission. */
export type CountedForMission = {
  readonly plan: MissionPlan;
  /** After caps, before the cut at the target. */
  readonly amount: Amount;
  /** The period of a series, or of a cap. */
  readonly period: number | undefined;
  /** Whether the event was backfilled. */
  readonly wasBackfilled: boolean;
};

/**
 * The parts of an event that counted for the missions that still exist, from its journal entry.
 * @returns `REVERSAL_NOT_STORED` if a series counted it in a release that did not store its period
 */
export function countedForMissions(
  { rules }: ClientCatalog,
  { missions = [], counted = [], backfilled }: JournalDetails,
): CountedForMission[] | DomainError {
  const found: CountedForMission[] = [];
  for (const [index, moved] of missions.entries()) {
    const plan = rules.missions.get(moved[0]);
    if (plan === undefined) continue;
    const part = counted.find(([position]) => position === index);
    if (part === undefined && missionTypes[plan.type].isSeries) return notStored();
    const [, amount, period] = part ?? [index, Number(countedByProgress(riseOf(moved))), undefined];
    found.push({ plan, amount: BigInt(amount), period, wasBackfilled: backfilled === true });
  }
  return found;
}

/** The amount of an event: one for an event of a code without amounts. */
export function amountOfEvent({ amount }: JournalDetails): Amount {
  return keptAmount(amount);
}

/** The keys of the periods whose assignments a reversal changes. */
export function periodKeysOf(counted: readonly CountedForMission[]): string[] {
  return counted.flatMap(({ plan, period }) =>
    period !== undefined && missionTypes[plan.type].isSplitByPeriod ? [periodKey(plan.periodUnit, period)] : [],
  );
}

/** An account with its assignments, which a reversal changes. */
export type ReversedAccount = {
  readonly assignments: Map<string, AssignmentState>;
  readonly calendar: Calendar;
  readonly freezes?: AccountFreezes | undefined;
  readonly vacations?: readonly Vacation[] | undefined;
};

/** A part of an event to take back. */
export type PartOfEvent = {
  /** The amounts of the event that are left before and after the reversal. */
  readonly before: Amount;
  readonly after: Amount;
};

/** Takes a part of an event back from its missions. @returns each changed assignment, in the order of the missions */
export function reverseEvent(
  counted: readonly CountedForMission[],
  account: ReversedAccount,
  { before, after }: PartOfEvent,
  now: Timestamp,
): MissionReversal[] {
  return counted.flatMap(({ plan, amount, period, wasBackfilled }) => {
    const taken = countedOf(plan, amount, before) - countedOf(plan, amount, after);
    if (taken === 0n) return [];
    const reversals = missionTypes[plan.type].reverse(plan, account, { amount: taken, period, wasBackfilled }, now);
    for (const { assignment } of reversals)
      account.assignments.set(assignmentKey(assignment.missionId, assignment.periodKey), assignment);
    return reversals;
  });
}

/**
 * The part that counts of an event of which `left` is left. The part that a cap had cut off goes first. A mission that counts events loses
 * its one when nothing is left.
 */
function countedOf({ countsEvents }: MissionPlan, amount: Amount, left: Amount): Amount {
  if (countsEvents) return left === 0n ? 0n : amount;
  return amount < left ? amount : left;
}

/** Whether a reversal took the completion of a mission as a whole back, on which its campaign may depend. */
export function isWholeLost({ roundsLost, assignment }: MissionReversal): boolean {
  return roundsLost > 0 && assignment.periodKey === NO_PERIOD && assignment.completedAt === undefined;
}

function notStored(): DomainError {
  return new DomainError(
    'REVERSAL_NOT_STORED',
    'A streak or a routine counted the event before this release, which did not store what a reversal needs. Correct it by hand.',
  );
}
