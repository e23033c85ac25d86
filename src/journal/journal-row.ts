import type { JsonObject } from '@bufbuild/protobuf';
import { JournalEntry_Effect as Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import type { Reward_Type, SkippedReward_Reason } from '../../gen/laurel/v1/reward_pb.ts';
import { Uncounted_Reason as Reason } from '../../gen/laurel/v1/uncounted_pb.ts';
import { type Amount, amountFromNumber } from '../kernel/amount.ts';
import { momentOfId } from '../kernel/ids.ts';
import { reasonsByNearness, type Uncounted, type UncountedReason } from '../engine/decision.ts';

/** The effects of entries that are no applied event. */
export const EFFECTS_WITHOUT_EVENT: readonly Effect[] = [
  Effect.DEAD,
  Effect.REVERSED,
  Effect.RESTORED,
  Effect.TARGET_LOWERED,
];

/** The stored data of one event, without its id and time. */
export type JournalRow = {
  /** Undefined for a dead trigger without an account. */
  readonly accountId: string | undefined;
  readonly occurredAt: Date;
  readonly programmaticCode: string;
  readonly operationId: string | undefined;
  readonly effect: Effect;
  /** Undefined if the event had an effect. */
  readonly reason?: Reason | undefined;
  /** The mission that the reason is about. */
  readonly missionId?: string | undefined;
  /** Undefined without anything in it. */
  readonly details?: JournalDetails | undefined;
};

/** An entry of a batch, in short JSON: 0 represents an absent value or an erased entry. */
export type StoredEntry =
  | 0
  | readonly [
      /** Milliseconds from the time in the batch's id to the time of the event. */
      occurredAfterMs: number,
      /** The index of the event's code in the batch's codes. */
      code: number,
      effect: Effect,
      operationId: string | 0,
      reason: Reason | 0,
      /** The position of a mission in the batch's list, from 1; 0 for none. */
      mission: number,
      details: StoredDetails | 0,
    ];

/** Details with short keys. Missions are positions in the batch's list, from 1. */
type StoredDetails = {
  readonly m?: readonly (readonly [mission: number, ...MovedAmounts])[];
  readonly c?: JournalDetails['campaigns'];
  readonly r?: JournalDetails['rewards'];
  readonly s?: JournalDetails['skippedRewards'];
  readonly d?: JournalDetails['deadTrigger'];
  readonly a?: JournalDetails['attributes'];
  readonly e?: JournalDetails['explanation'];
  readonly v?: JournalDetails['amount'];
  readonly k?: JournalDetails['counted'];
  readonly u?: JournalDetails['reversal'];
  /** Statistics are positions in the batch's list, from 1. */
  readonly t?: readonly (readonly [statistic: number, ...StoredMove])[];
  readonly l?: JournalDetails['levels'];
  /** 1 for a backfilled event. */
  readonly b?: 1;
};

/** Numbers names from 0, in the order of their first use. */
export function createNameIndex(): { readonly named: readonly string[]; indexOf(name: string): number } {
  const known = new Map<string, number>();
  const named: string[] = [];
  return {
    named,
    indexOf(name) {
      const index = known.get(name);
      if (index !== undefined) return index;
      known.set(name, named.length);
      return named.push(name) - 1;
    },
  };
}

type NameIndex = ReturnType<typeof createNameIndex>;

/** Values stored once per batch. Entries refer to codes by index, and to missions by position, from 1. */
export type BatchNames = {
  readonly writtenAtMs: number;
  readonly codes: NameIndex;
  readonly missions: NameIndex;
  readonly statistics: NameIndex;
};

/** The stored form of an entry; adds its code and missions to the names of the batch. */
export function storedEntry(
  { occurredAt, programmaticCode, effect, operationId, reason, missionId, details }: JournalRow,
  { writtenAtMs, codes, missions, statistics }: BatchNames,
): StoredEntry {
  return [
    occurredAt.getTime() - writtenAtMs,
    codes.indexOf(programmaticCode),
    effect,
    operationId ?? 0,
    reason ?? 0,
    missionId === undefined ? 0 : missions.indexOf(missionId) + 1,
    details === undefined ? 0 : storedDetails(details, missions, statistics),
  ];
}

function storedDetails(details: JournalDetails, index: NameIndex, statisticIndex: NameIndex): StoredDetails {
  const { missions, campaigns, rewards, skippedRewards, deadTrigger, attributes, explanation, amount } = details;
  const { counted, reversal, backfilled, statistics, levels } = details;
  const stored: Writable<StoredDetails> = {};
  if (missions) stored.m = missions.map(([id, ...amounts]) => [index.indexOf(id) + 1, ...amounts]);
  if (campaigns) stored.c = campaigns;
  if (rewards) stored.r = rewards;
  if (skippedRewards) stored.s = skippedRewards;
  if (deadTrigger) stored.d = deadTrigger;
  if (attributes) stored.a = attributes;
  if (explanation) stored.e = explanation;
  if (amount !== undefined) stored.v = amount;
  if (counted) stored.k = counted;
  if (reversal) stored.u = reversal;
  if (backfilled) stored.b = 1;
  if (levels) stored.l = levels;
  if (statistics)
    stored.t = statistics.map(([id, period, amount, day]) => {
      const moved = [statisticIndex.indexOf(id) + 1, period, amount] as const;
      return day === undefined ? moved : [...moved, day];
    });
  return stored;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The values of a batch that its entries refer to. */
type EntryNames = {
  readonly writtenAtMs: number;
  readonly missionIds: readonly string[] | null;
  readonly statisticIds: readonly string[] | null;
};

/** The values of a batch that {@link entryRow} needs. */
export function entryNames(batch: { readonly id: string } & Omit<EntryNames, 'writtenAtMs'>): EntryNames {
  const { id, missionIds, statisticIds } = batch;
  return { writtenAtMs: momentOfId(id).getTime(), missionIds, statisticIds };
}

/** Reads a stored entry, with the values of its batch. */
export function entryRow(
  stored: Exclude<StoredEntry, 0>,
  { writtenAtMs, missionIds, statisticIds }: EntryNames,
): Pick<JournalEntryRow, 'occurredAt' | 'effect' | 'operationId' | 'reason' | 'missionId' | 'details'> {
  const [ms, , effect, operationId, reason, mission, details] = stored;
  const idOf = (position: number | string) => (typeof position === 'string' ? position : missionIds![position - 1]!);
  return {
    occurredAt: new Date(missionIds === null ? ms : writtenAtMs + ms),
    effect,
    operationId: operationId === 0 ? null : operationId,
    reason: reason === 0 ? null : reason,
    missionId: mission === 0 ? null : idOf(mission),
    details: details === 0 ? null : readDetails(details, idOf, statisticIds),
  };
}

function readDetails(
  { m, c, r, s, d, a, e, v, k, u, b, t, l }: StoredDetails,
  idOf: (position: number) => string,
  statisticIds: readonly string[] | null,
): JournalDetails {
  return {
    ...(m && { missions: m.map(([position, ...amounts]) => [idOf(position), ...amounts] as const) }),
    ...(c && { campaigns: c }),
    ...(r && { rewards: r }),
    ...(s && { skippedRewards: s }),
    ...(d && { deadTrigger: d }),
    ...(a && { attributes: a }),
    ...(e && { explanation: e }),
    ...(v !== undefined && { amount: v }),
    ...(k && { counted: k }),
    ...(u && { reversal: u }),
    ...(b && { backfilled: true }),
    ...(l && { levels: l }),
    ...(t && { statistics: t.map(([position, ...moved]) => [statisticIds![position - 1]!, ...moved] as const) }),
  };
}

/** An entry as it is read. */
export type JournalEntryRow = {
  /** The id within the client: the batch and the index in it. Entries of one time sort by it. */
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

/** The effect of an event, its attributes, and why it had no effect. */
export type JournalDetails = {
  /** The missions that advanced. */
  readonly missions?: readonly MovedMission[];
  /** Ids of completed campaigns. */
  readonly campaigns?: readonly string[];
  readonly rewards?: readonly EarnedReward[];
  readonly skippedRewards?: readonly SkippedReward[];
  /** Set if the event is a dead trigger. */
  readonly deadTrigger?: readonly [id: string, errorCode: string];
  /** The event's attributes as they were sent, without `amount`. */
  readonly attributes?: JsonObject;
  /** The part of the mission's expression that did not hold, in words, without personal values. */
  readonly explanation?: string;
  /** The amount of an AMOUNT event. */
  readonly amount?: number;
  /** The part of the event that counted for some of `missions`, where their progress does not tell it. */
  readonly counted?: readonly CountedPart[];
  /** Set if the entry is the reversal of an event. */
  readonly reversal?: StoredReversal;
  /** Set if the event was backfilled: it was judged as of its occurrence. */
  readonly backfilled?: true;
  /** The statistics that the event, or its reversal, moved. */
  readonly statistics?: readonly StoredStatistic[];
  /** The levels that the event announced. */
  readonly levels?: readonly StoredLevelMove[];
};

/** A level that an event announced, with the codes before and after; 0 for none. */
export type StoredLevelMove = readonly [trackId: string, previousCode: string | 0, code: string | 0];

/**
 * The move of a statistic by an event, in ten-thousandths; negative for a reversal. The period is a number of its unit; the day is that of
 * the event for DAYS.
 */
export type StoredStatistic = readonly [id: string, ...StoredMove];
type StoredMove = readonly [period: number, amount: number, day?: number];

/** A mission before and after an event. */
export type MissionRise = {
  readonly before: Amount;
  readonly progress: Amount;
  readonly target: Amount;
  /** The rounds that the event completed. */
  readonly rounds: number;
};

/** The part of an event that counted for a mission, if no part was cut off: the rise of its progress. */
export function countedByProgress({ before, progress, target, rounds }: MissionRise): Amount {
  return (rounds === 0 ? progress : BigInt(rounds) * target) - before;
}

/** The mission of an entry in amounts. */
export function riseOf([, before, progress, target, rounds = 0]: MovedMission): MissionRise {
  const amount = (value: number) => amountFromNumber(value, 'progress');
  return { before: amount(before), progress: amount(progress), target: amount(target), rounds };
}

/** The part of an event that counted for the mission at an index of `missions`: ten-thousandths, and the period of a series or a cap. */
export type CountedPart = readonly [index: number, amount: number, period?: number];

/** The reversal of an event; 0 for an absent value. */
export type StoredReversal = readonly [
  journalEntryId: string | 0,
  triggerOperationId: string | 0,
  amount: number,
  reason: string | 0,
  rewards: readonly (readonly [
    earnedRewardId: string,
    rewardId: string,
    rewardType: Reward_Type,
    reversed: number,
    kept: number,
    debt: number,
  ])[],
];

/** A mission that advanced. Values at the end are left out if they are 0 or absent. */
export type MovedMission = readonly [id: string, ...MovedAmounts];
type MovedAmounts = readonly [
  before: number,
  progress: number,
  target: number,
  /** The completed rounds: above 1 only for a mission that repeats. */
  rounds?: number,
  /** The run of a streak that had ended. */
  lostRun?: readonly [periods: number, lastKept: string, period: string, timeZone: string] | 0,
  /** The lengths of the milestones that the event was the first to reach. */
  milestones?: readonly number[],
];
type SkippedReward = readonly [
  rewardId: string,
  reason: SkippedReward_Reason,
  missionId: string | 0,
  campaignId: string | 0,
  /** The values on which its amount depends, in words, without personal ones; cut to the length of an explanation. */
  values?: string,
];
/** `pending` is 1 while the reward waits for stock, otherwise left out. */
type EarnedReward = readonly [earnedRewardId: string, rewardId: string, amount: number, pending?: 1];

/** The reason for which an event did not count for a mission. */
export type UncountedCause = Pick<Uncounted, 'reason' | 'missionId' | 'previousProgress'>;

/** The cause that is nearest to counting; the first of two equal ones. */
export function nearestCause(one: UncountedCause | undefined, other: UncountedCause): UncountedCause {
  if (one === undefined) return other;
  return NEARNESS[other.reason] > NEARNESS[one.reason] ? other : one;
}

const NEARNESS = Object.fromEntries(reasonsByNearness.map((reason, index) => [reason, index])) as Readonly<
  Record<UncountedReason, number>
>;
