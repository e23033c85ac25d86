import {
  JournalEntry_Effect as Effect,
  JournalEntry_Reason as Reason,
} from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { ignoreReasons, type IgnoreReason } from '../engine/decision.ts';

/** What is kept of one event, beside its id and the moment at which it is recorded. */
export type JournalRow = {
  /** Undefined of a dead trigger whose account there is not. */
  readonly accountId: string | undefined;
  readonly occurredAt: Date;
  readonly programmaticCode: string;
  readonly operationId: string | undefined;
  readonly effect: Effect;
  /** Undefined where it did something. */
  readonly reason?: Reason | undefined;
  /** The mission that the reason is about. */
  readonly missionId?: string | undefined;
  /** Undefined where nothing happened. */
  readonly details?: JournalDetails | undefined;
};

/** An entry as a batch has it, as short as JSON can say it; 0 for what is not there, and for an entry that was erased. */
export type StoredEntry =
  | 0
  | readonly [
      occurredAtMs: number,
      /** Its place among the batch's codes. */
      code: number,
      effect: Effect,
      operationId: string | 0,
      reason: Reason | 0,
      missionId: string | 0,
      details: JournalDetails | 0,
    ];

/** @param code the place of its code among the batch's */
export function storedEntry(
  { occurredAt, effect, operationId, reason, missionId, details }: JournalRow,
  code: number,
): StoredEntry {
  return [occurredAt.getTime(), code, effect, operationId ?? 0, reason ?? 0, missionId ?? 0, details ?? 0];
}

/** An entry as it is read. */
export type JournalEntryRow = {
  /** Identifies it within its client: the batch and the place in it. Entries of one moment are in its order. */
  readonly id: string;
  readonly recordedAt: Date;
  readonly occurredAt: Date;
  readonly accountId: string | null;
  readonly programmaticCode: string;
  readonly operationId: string | null;
  readonly effect: Effect;
  readonly reason: Reason | null;
  readonly missionId: string | null;
  readonly details: JournalDetails | null;
};

/** What an event did, as short as JSON can say it: one is written for each event. */
export type JournalDetails = {
  /** Missions that it moved. */
  readonly m?: readonly MovedMission[];
  /** Ids of campaigns that it completed. */
  readonly c?: readonly string[];
  /** Rewards that it earned. */
  readonly r?: readonly EarnedReward[];
  /** The dead trigger that it is, and the code of its error. */
  readonly d?: readonly [id: string, errorCode: string];
};

/** `completed` and `pending` are left out where they are not so. */
export type MovedMission = readonly [
  id: string,
  before: number,
  progress: number,
  target: number,
  completed?: 1 | 0,
  /** The run of a streak that had lapsed. */
  lostRun?: readonly [periods: number, lastKept: string, period: string, timeZone: string],
];
type EarnedReward = readonly [earnedRewardId: string, rewardId: string, amount: number, pending?: 1];

/** Why an event did nothing for the mission for which it came nearest to counting. */
export type Refusal = { readonly reason: IgnoreReason; readonly missionId: string };

const NEARNESS = new Map(Object.keys(ignoreReasons).map((reason, index) => [reason, index]));

/** The refusal that came nearest to counting: the engine's reasons are in the order in which it asks. Of equals the first. */
export function nearest(one: Refusal | undefined, other: Refusal): Refusal {
  if (one === undefined) return other;
  return NEARNESS.get(other.reason)! > NEARNESS.get(one.reason)! ? other : one;
}

/** The contract's word for each of the engine's. */
export const REASONS: Readonly<Record<IgnoreReason, Reason>> = {
  WRONG_EVENT: Reason.NO_MISSION,
  CAMPAIGN_NOT_ACTIVE: Reason.CAMPAIGN_NOT_ACTIVE,
  CAMPAIGN_PAUSED: Reason.CAMPAIGN_PAUSED,
  NOT_IN_AUDIENCE: Reason.NOT_IN_AUDIENCE,
  BEFORE_JOINING: Reason.BEFORE_JOINING,
  NOT_STARTED: Reason.NOT_STARTED,
  EXPIRED: Reason.EXPIRED,
  ALREADY_COMPLETED: Reason.ALREADY_COMPLETED,
  PREREQUISITE_MISSING: Reason.PREREQUISITE_MISSING,
  NOT_POSITIVE: Reason.NOT_POSITIVE,
  BELOW_MINIMUM: Reason.BELOW_MINIMUM,
  ABOVE_MAXIMUM: Reason.ABOVE_MAXIMUM,
  OUTSIDE_HOURS: Reason.OUTSIDE_HOURS,
  CAP_REACHED: Reason.CAP_REACHED,
  PERIOD_KEPT: Reason.PERIOD_KEPT,
  TOO_LATE: Reason.TOO_LATE,
};
