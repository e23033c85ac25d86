import type { uncountedReasons } from '../../../gen/uncounted-reasons.ts';
import type { Arrival, Outcome, Pause, Today } from '../../engine/naive-model.ts';
import type { Category, Tier } from './expressions.ts';
import type { Campaign, Mission, Player } from './steps.ts';

/** An event that arrives, with its attribute. */
export type EventArrival = Arrival & { readonly category?: Category | undefined };

/** A campaign after the last change by its operator. */
export type CampaignState = {
  status: 'ACTIVE' | 'PAUSED' | 'ENDED';
  pauses: Pause[];
  endsAt: number;
};

/** A time range: `from` is included, `until` is not; `Infinity` if it has no end. */
export type Stretch = { readonly from: number; readonly until: number };

/** The time at which an account joined the audience of the claimable campaign; undefined if it is not a member. */
export function memberSince({ memberships }: Pick<AccountState, 'memberships'>): number | undefined {
  return memberships.find(({ until }) => until === Infinity)?.from;
}

/** An account, as a list of its actions. */
export type AccountState = {
  readonly who: Player;
  createdAt: number;
  /** The account's own zones, by the time of the change; null for none. */
  readonly zones: Array<{ readonly from: number; readonly zone: string | null }>;
  /** The times in the audience of the claimable campaign, oldest first. The last one has no end while the account is a member. */
  memberships: readonly Stretch[];
  /** The attribute `tier` after its last change: expressions do not know earlier values. */
  tier: Tier | undefined;
  /** The events that each mission did not refuse, in order of arrival. */
  readonly arrivals: Map<Mission, Arrival[]>;
  readonly completedCampaigns: Set<Campaign>;
  readonly claimed: Set<Campaign>;
  points: number;
};

/** A name of `Uncounted.Reason`. */
export type Reason = keyof typeof uncountedReasons;

/** The effect of an event on a mission: a reason, or the account's progress afterwards. */
export type Effect = { readonly reason: Reason } | MissionState;

/** A mission of an account, as reads and answers show it. */
export type MissionState = {
  readonly status: 'ACTIVE' | 'COMPLETED' | 'EXPIRED';
  readonly progress: number;
  readonly periodKey: string;
  /** The completed rounds of a mission that repeats. */
  readonly completions?: number | undefined;
  /** The rounds that an event completed, if the mission repeats, and what it left for the next round. */
  readonly rounds?: number | undefined;
  readonly carriedOver?: number | undefined;
  readonly streak?: Outcome['streak'];
  /** The shortest milestone that was not reached; absent without one. */
  readonly nextMilestone?: number | undefined;
  readonly occurrences?: { readonly completed: number; readonly target: number } | undefined;
  /** Milliseconds; undefined for a ROUTINE, or if the mission never closes. */
  readonly expiresAt?: number | undefined;
  readonly startedAt?: number | undefined;
  /** Present only for an ACTIVE STREAK. */
  readonly today?: Today | undefined;
  /** Present only for an ACTIVE mission. */
  readonly locks?: readonly Lock[] | undefined;
};

/** A lock of a mission: a prerequisite, or closed hours. */
export type Lock =
  | { readonly needs: Mission; readonly isMet: boolean }
  | { readonly isClosed: true; readonly opensAt: number | undefined };
