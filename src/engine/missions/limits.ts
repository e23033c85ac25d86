import { ONE } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { AssignmentDetail, AssignmentState, MergedProgress } from '../assignment.ts';
import type { UncountedReason } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { Calendar } from '../time/calendar.ts';
import type { CountedPart, MissionPlan, TakenPart } from './mission-plan.ts';

/**
 * The part of an event that counts within the limits of a mission, and their state after it. Without limits the whole event
 * counts.
 * @param before the state of the assignment before the event
 */
export function countedPart(
  plan: MissionPlan,
  calendar: Calendar,
  event: GameEvent,
  before: AssignmentDetail | undefined,
  now: Timestamp,
): CountedPart | UncountedReason {
  let part: CountedPart = { amount: plan.countsEvents ? ONE : event.amount, detail: undefined };
  for (const limit of plan.limits) {
    const next = limit(part.amount, { plan, calendar, event, before, now });
    if (typeof next === 'string') return next;
    part = { amount: next.amount, detail: { ...part.detail, ...next.detail }, period: next.period ?? part.period };
  }
  return part;
}

/** The state of the limits of two accounts after their merge, and whether one was reversed. Undefined for none. */
export function mergedLimits(
  { states }: Pick<MissionPlan, 'states'>,
  { detail: one }: AssignmentState,
  { detail: other }: AssignmentState,
  how: MergedProgress,
): AssignmentDetail | undefined {
  const detail: Record<string, unknown> = {};
  for (const [field, merge] of states.flatMap(
    ({ merges }) => Object.entries(merges) as [keyof AssignmentDetail, Merge][],
  )) {
    const [a, b] = [one?.[field], other?.[field]];
    const merged = a === undefined || b === undefined ? (a ?? b) : merge(a, b, how);
    if (merged !== undefined) detail[field] = merged;
  }
  if (one?.reversed || other?.reversed) detail['reversed'] = true;
  return Object.keys(detail).length > 0 ? detail : undefined;
}

type Merge = (one: unknown, other: unknown, how: MergedProgress) => unknown;

/** The state of an assignment after the reversal of an event. */
export function reversedLimits(
  { states }: Pick<MissionPlan, 'states'>,
  detail: AssignmentDetail | undefined,
  taken: TakenPart,
): AssignmentDetail | undefined {
  return states.reduce((left, { reversed }) => (reversed === 'kept' ? left : reversed(left, taken)), detail);
}
