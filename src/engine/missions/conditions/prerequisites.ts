import { sentence } from '../../../kernel/sentence.ts';
import { hasCompletedOnce } from '../../campaign-plan.ts';
import type { Condition } from './condition.ts';

/** `prerequisiteMissionIds`: an event counts if it occurred after the account had completed each of these missions. */
export const prerequisites: Condition<'prerequisiteMissionIds'> = {
  forms: { prerequisiteMissionIds: 'ids' },
  apply: ({ prerequisiteMissionIds: ids = [] }) => ({
    by: 'assignments',
    refusals: {
      PREREQUISITE_MISSING: (_, { assignments }) => ids.some((id) => !hasCompletedOnce(id, assignments)),
      BEFORE_PREREQUISITE: ({ occurredAt }, { assignments }) =>
        ids.some((id) => occurredAt < (assignments.get(id)?.completionOccurredAt ?? -Infinity)),
    },
  }),
  state: 'none',
  /** One lock for each mission, including completed ones. */
  lock:
    ({ prerequisiteMissionIds: ids = [] }) =>
    ({ assignments }) =>
      ids.map((missionId) => {
        return { kind: 'PREREQUISITE_MISSION', missionId, isMet: hasCompletedOnce(missionId, assignments) };
      }),
  reach: 'none',
  bound: 'none',
  checks: [
    ({ id, conditions }) =>
      conditions?.prerequisiteMissionIds?.includes(id) === true &&
      sentence`A mission cannot require itself: remove it from prerequisiteMissionIds.`,
  ],
};
