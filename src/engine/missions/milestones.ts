import { type Amount, amountToNumber } from '../../kernel/amount.ts';
import type { AssignmentDetail } from '../assignment.ts';
import { ENDLESS, type Milestone } from './mission-rule.ts';

/** A target as the API shows it: 0 for a STREAK without an end. */
export function shownTarget(target: Amount): number {
  return target === ENDLESS ? 0 : amountToNumber(target);
}

/** The longest milestone that a run reaches; 0 for none. */
export function milestoneReachedBy(milestones: readonly Milestone[], longest: number): number {
  return milestones.findLast(({ length }) => length <= longest)?.length ?? 0;
}

/** The milestones of a STREAK that its account reaches for the first time. @param longest the longest run so far, with the present one */
export function newMilestones(
  milestones: readonly Milestone[],
  detail: Pick<AssignmentDetail, 'milestone'> | undefined,
  longest: number,
): readonly Milestone[] {
  if (milestones.length === 0) return milestones;
  const before = detail?.milestone ?? 0;
  return milestones.filter(({ length }) => before < length && length <= longest);
}

/** The shortest milestone that an account has not reached; undefined after the last one. */
export function nextMilestone(
  milestones: readonly Milestone[],
  detail: Pick<AssignmentDetail, 'milestone'> | undefined,
): Milestone | undefined {
  const before = detail?.milestone ?? 0;
  return milestones.find(({ length }) => length > before);
}
