import { JournalEntry_Effect as Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { Uncounted_Reason as Reason } from '../../gen/laurel/v1/uncounted_pb.ts';
import { ignoreReasons, type IgnoreReason } from '../engine/decision.ts';

/** The stored data of one event, without its id and time. */
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
      /** Milliseconds from the moment in the id of the batch to that of the event. */
      occurredAfterMs: number,
      /** Its place among the batch's codes. */
      code: number,
      effect: Effect,
      operationId: string | 0,
      reason: Reason | 0,
      /** The place of a mission, counted from 1; 0 for none. */
      mission: number,
      details: StoredDetails | 0,
    ];

/** Of missions their places among the batch's, counted from 1. */
type StoredDetails = Omit<JournalDetails, 'm'> & {
  readonly m?: readonly (readonly [mission: number, ...MovedAmounts])[];
};

/** Gives things their places, from 0 on in the order in which they are named first. */
export function places(): { readonly named: readonly string[]; placeOf(name: string): number } {
  const known = new Map<string, number>();
  const named: string[] = [];
  return {
    named,
    placeOf(name) {
      const place = known.get(name);
      if (place !== undefined) return place;
      known.set(name, named.length);
      return named.push(name) - 1;
    },
  };
}

type Places = ReturnType<typeof places>;

/** Values stored once per batch; entries refer to them by index. */
export type BatchWords = { readonly writtenAtMs: number; readonly codes: Places; readonly missions: Places };

export function storedEntry(
  { occurredAt, programmaticCode, effect, operationId, reason, missionId, details }: JournalRow,
  { writtenAtMs, codes, missions }: BatchWords,
): StoredEntry {
  return [
    occurredAt.getTime() - writtenAtMs,
    codes.placeOf(programmaticCode),
    effect,
    operationId ?? 0,
    reason ?? 0,
    missionId === undefined ? 0 : missions.placeOf(missionId) + 1,
    details === undefined ? 0 : storedDetails(details, missions),
  ];
}

function storedDetails({ m: moved, ...details }: JournalDetails, missions: Places): StoredDetails {
  return { ...(moved && { m: moved.map(([id, ...amounts]) => [missions.placeOf(id) + 1, ...amounts]) }), ...details };
}

/** The values of an entry's batch. */
export function entryRow(
  stored: Exclude<StoredEntry, 0>,
  { writtenAtMs, missionIds }: { readonly writtenAtMs: number; readonly missionIds: readonly string[] | null },
): Pick<JournalEntryRow, 'occurredAt' | 'effect' | 'operationId' | 'reason' | 'missionId' | 'details'> {
  const [ms, , effect, operationId, reason, mission, details] = stored;
  const idOf = (place: number | string) => (typeof place === 'string' ? place : missionIds![place - 1]!);
  return {
    occurredAt: new Date(missionIds === null ? ms : writtenAtMs + ms),
    effect,
    operationId: operationId === 0 ? null : operationId,
    reason: reason === 0 ? null : reason,
    missionId: mission === 0 ? null : idOf(mission),
    details: details === 0 ? null : readDetails(details, idOf),
  };
}

function readDetails({ m: moved, ...details }: StoredDetails, idOf: (place: number) => string): JournalDetails {
  return { ...(moved && { m: moved.map(([place, ...amounts]) => [idOf(place), ...amounts] as const) }), ...details };
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

/** The effect of an event in compact JSON, because each event has one. */
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
export type MovedMission = readonly [id: string, ...MovedAmounts];
type MovedAmounts = readonly [
  before: number,
  progress: number,
  target: number,
  completed?: 1 | 0,
  /** The run of a streak that had ended. */
  lostRun?: readonly [periods: number, lastKept: string, period: string, timeZone: string],
];
type EarnedReward = readonly [earnedRewardId: string, rewardId: string, amount: number, pending?: 1];

/** Why an event did nothing for the mission for which it came nearest to counting. */
export type Refusal = { readonly reason: IgnoreReason; readonly missionId: string };

/** The refusal that came nearest to counting: of equals the first. */
export function nearest(one: Refusal | undefined, other: Refusal): Refusal {
  if (one === undefined) return other;
  return NEARNESS[other.reason] > NEARNESS[one.reason] ? other : one;
}

/** A reason that only the proto has, or only the rules, does not compile here. */
const NEARNESS: Readonly<Record<Exclude<keyof typeof Reason, 'REASON_UNSPECIFIED'>, number>> = Object.fromEntries(
  ignoreReasons.map((reason, index) => [reason, index]),
) as Record<IgnoreReason, number>;
