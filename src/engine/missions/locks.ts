import type { AccountContext } from '../account-context.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/** A requirement that must be met before an event counts for a mission. */
export type Lock =
  | { readonly kind: 'PREREQUISITE_MISSION'; readonly missionId: string; readonly isMet: boolean }
  | {
      readonly kind: 'OUTSIDE_HOURS';
      readonly isMet: false;
      /** The time from which events count again; undefined if that is after the item expires. */
      readonly opensAt: Timestamp | undefined;
    };

/** The locks of one condition at `now`. @param expiresAt when the item expires; `Infinity` if never */
export type LockRule = (account: AccountContext, now: Timestamp, expiresAt: Timestamp) => readonly Lock[];

/** Most missions have no locks. */
const NONE: readonly Lock[] = [];

/**
 * The locks of an item at `now`: all prerequisites, in the order of the mission, and the hours while they are closed. These conditions
 * refuse an event exactly while one of the locks is not met.
 * @param expiresAt when the item expires; `Infinity` if never
 */
export function locksOf(
  { locks }: { readonly locks: readonly LockRule[] },
  account: AccountContext,
  now: Timestamp,
  expiresAt: Timestamp,
): readonly Lock[] {
  return locks.length === 0 ? NONE : locks.flatMap((lock) => lock(account, now, expiresAt));
}
