import type { AssignmentDetail, AssignmentState, LimitState, MergedProgress } from '../assignment.ts';
import { combinedSums } from '../time/period-sums.ts';

/** Combines the state that one condition keeps of two accounts; both have some. */
type Merge<Value> = (one: Value, other: Value, how: MergedProgress) => Value;

/** How a merge of two accounts combines the state of conditions. A field of {@link LimitState} without an entry does not compile. */
const limitMerges: { readonly [Field in keyof LimitState]-?: Merge<NonNullable<LimitState[Field]>> } = {
  counted: combinedSums,
  dropped: later,
  countedAt: later,
};

/** The state of the conditions of both, and whether one was reversed. Undefined for none. */
export function limitsOf(
  { detail: one }: AssignmentState,
  { detail: other }: AssignmentState,
  how: MergedProgress,
): AssignmentDetail | undefined {
  const detail: Record<string, unknown> = {};
  for (const [field, merge] of Object.entries(limitMerges) as [keyof LimitState, Merge<unknown>][]) {
    const [a, b] = [one?.[field], other?.[field]];
    const merged = a === undefined || b === undefined ? (a ?? b) : merge(a, b, how);
    if (merged !== undefined) detail[field] = merged;
  }
  if (one?.reversed || other?.reversed) detail['reversed'] = true;
  return Object.keys(detail).length > 0 ? detail : undefined;
}

function later(one: number, other: number): number {
  return Math.max(one, other);
}
