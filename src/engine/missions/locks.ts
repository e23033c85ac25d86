import { zoneOf } from '../../kernel/time/zone-history.ts';
import type { AccountContext } from '../account-context.ts';
import type { Timestamp } from '../time/timestamp.ts';
import { isPrerequisiteMet, isWithinHours } from './conditions.ts';
import type { MissionPlan } from './mission-plan.ts';
import { firstOpening } from './opening-hours.ts';

/** A requirement that must be met before an event counts for a mission. */
export type Lock =
  | { readonly kind: 'PREREQUISITE_MISSION'; readonly missionId: string; readonly isMet: boolean }
  | {
      readonly kind: 'OUTSIDE_HOURS';
      readonly isMet: false;
      /** The time from which events count again; undefined if that is after the item expires. */
      readonly opensAt: Timestamp | undefined;
    };

/** For most missions. */
const NONE: readonly Lock[] = [];

/**
 * The locks of an item at `now`: all prerequisites, in the order of the mission, and the hours while they are closed.
 * An event is refused for them exactly while one of them is not met.
 * @param expiresAt when the item expires; `Infinity` if never
 */
export function locksOf(
  plan: MissionPlan,
  account: AccountContext,
  now: Timestamp,
  expiresAt: Timestamp,
): readonly Lock[] {
  const { prerequisites, hours } = plan;
  const isClosed = hours !== undefined && !isWithinHours(hours, account, now);
  if (prerequisites.length === 0 && !isClosed) return NONE;
  const locks = prerequisites.map((missionId): Lock => {
    return { kind: 'PREREQUISITE_MISSION', missionId, isMet: isPrerequisiteMet(missionId, account) };
  });
  if (!isClosed) return locks;
  const opensAt = firstOpening(hours, zoneOf(account.calendar, now), now, expiresAt);
  return [...locks, { kind: 'OUTSIDE_HOURS', isMet: false, opensAt }];
}
