import type { Amount } from '../../kernel/amount.ts';
import { DAY, type Timestamp } from '../../kernel/time/timestamp.ts';
import {
  larger,
  largerValue,
  levelNumber,
  type LevelTrack,
  type LevelValues,
  periodsOfTrack,
  thresholdOf,
} from './level-track.ts';

/** The stored state of an account in a track. An account without one has no held value, and was paid nothing. */
export type HeldLevel = {
  /** The code of the level that was announced last; undefined for none. It may have been removed from the track. */
  readonly code: string | undefined;
  /** The time of its announcement. */
  readonly since: Timestamp;
  /** The value that the account counts as having at least. Undefined without one. */
  readonly heldValue: Amount | undefined;
  /** The time at which the held value is reviewed. Undefined if it is not. */
  readonly reviewAt: Timestamp | undefined;
  /** Whether the account was warned of this review. */
  readonly isWarned: boolean;
  /** The codes of the levels that were paid. */
  readonly paid: readonly string[];
};

/** The level of an account at an instant. */
export type CurrentLevel = {
  /** From 1; 0 for none. */
  readonly number: number;
  /** The value to which it belongs; undefined without any. */
  readonly counted: Amount | undefined;
  readonly heldValue: Amount | undefined;
  readonly reviewAt: Timestamp | undefined;
  /** Whether reviews were due that are not stored. */
  readonly isReviewed: boolean;
};

/** The most reviews that are carried out one after the other: as many as take the highest level of the longest track. */
export const REVIEWS_MAX = 100;

/** The level of an account, after the reviews that are due. A pure function of its state and values: reads and events use it alike. */
export function currentLevel(
  track: LevelTrack,
  held: Pick<HeldLevel, 'heldValue' | 'reviewAt'> | undefined,
  values: LevelValues,
  now: Timestamp,
): CurrentLevel {
  let heldValue = held?.heldValue;
  let reviewAt = held?.reviewAt;
  let reviews = 0;
  while (reviewAt !== undefined && reviewAt <= now && reviews < REVIEWS_MAX) {
    heldValue = afterReview(track, heldValue, values.endedAt(reviewAt));
    reviewAt = nextReview(track, reviewAt);
    reviews += 1;
  }
  // More reviews than levels leave nothing that is held.
  if (reviewAt !== undefined && reviewAt <= now) reviewAt = nextReview(track, now);
  const counted = larger(largerValue(values), heldValue);
  return { number: levelNumber(track, counted), counted, heldValue, reviewAt, isReviewed: reviews > 0 };
}

/** The value that an account holds after a review. @param reached the value on which the review depends */
function afterReview(
  track: LevelTrack,
  heldValue: Amount | undefined,
  reached: Amount | undefined,
): Amount | undefined {
  const counted = larger(reached, heldValue);
  switch (track.downgrade) {
    case 'NEVER':
      return counted;
    case 'ONE':
      return larger(reached, thresholdOf(track, levelNumber(track, counted) - 1));
    case 'BALANCE':
      return reached;
  }
}

/** The time of the review of a level that begins, or is held again, at an instant. Undefined if it is never reviewed. */
export function nextReview({ downgrade, holdDays, statistic }: LevelTrack, from: Timestamp): Timestamp | undefined {
  if (downgrade === 'NEVER') return undefined;
  return holdDays === undefined ? statistic.periodAt(from).until : from + holdDays * DAY;
}

/** The level after the next review, if no value changes until then; undefined without a review. */
export function levelAtReview(track: LevelTrack, level: CurrentLevel, values: LevelValues): number | undefined {
  if (level.reviewAt === undefined) return undefined;
  return levelNumber(track, larger(values.current, afterReview(track, level.heldValue, values.current)));
}

/** The time of the next step for an account: the warning of its review, or the review. */
export function nextStepAt(
  { atRiskDays }: LevelTrack,
  { reviewAt, isWarned }: Pick<HeldLevel, 'reviewAt' | 'isWarned'>,
): Timestamp | undefined {
  if (reviewAt === undefined || atRiskDays === undefined || isWarned) return reviewAt;
  return reviewAt - atRiskDays * DAY;
}

/** A level that an account got, lost, or is announced for the first time. */
export type LevelMove = {
  readonly track: LevelTrack;
  /** The code of the level announced before; undefined for none. */
  readonly previousCode: string | undefined;
  /** The number of the new level; 0 for none. */
  readonly number: number;
  /** The codes of the levels to pay, lowest first. */
  readonly toPay: readonly string[];
};

/** The state after an event or a review; `held` is undefined as long as there is nothing to store, `move` if no level changed. */
export type Decided = { readonly held: HeldLevel | undefined; readonly move: LevelMove | undefined };

/**
 * Decides about the level of an account after an event, whose values are those after it. A level that is reached is held from now on. Every
 * level up to it that was not paid is to be paid.
 */
export function decideLevel(
  track: LevelTrack,
  before: HeldLevel | undefined,
  values: LevelValues,
  now: Timestamp,
): Decided {
  const level = currentLevel(track, before, values, now);
  if (before === undefined && level.number === 0) return { held: undefined, move: undefined };
  const code = track.levels[level.number - 1]?.code;
  const isRise = level.number > levelNumber(track, level.heldValue);
  const mustReview = level.reviewAt === undefined && track.downgrade !== 'NEVER' && level.number > 0;
  const paid = before?.paid ?? [];
  const toPay = track.levels.slice(0, level.number).flatMap((each) => (paid.includes(each.code) ? [] : [each.code]));
  const isMoved = before === undefined || before.code !== code || toPay.length > 0;
  if (!isMoved && !isRise && !mustReview && !level.isReviewed) return { held: before, move: undefined };
  const restarts = isRise || mustReview;
  const reviewAt = restarts ? nextReview(track, now) : level.reviewAt;
  return {
    held: {
      code,
      since: before !== undefined && before.code === code ? before.since : now,
      heldValue: restarts ? level.counted : level.heldValue,
      reviewAt,
      isWarned: reviewAt === before?.reviewAt && (before?.isWarned ?? false),
      paid: toPay.length === 0 ? paid : [...paid, ...toPay],
    },
    move: isMoved ? { track, previousCode: before?.code, number: level.number, toPay } : undefined,
  };
}

/**
 * Carries out the due reviews of an account. A level that it lost is announced. One that it got meanwhile, by changed thresholds, is not:
 * the next event does that, because it pays.
 */
export function reviewLevel(track: LevelTrack, before: HeldLevel, values: LevelValues, now: Timestamp): Decided {
  const level = currentLevel(track, before, values, now);
  const { heldValue, reviewAt } = level;
  const announced = track.levels.findIndex(({ code }) => code === before.code) + 1;
  const isLost = level.number < announced;
  const code = isLost ? track.levels[level.number - 1]?.code : before.code;
  const isWarned = reviewAt === before.reviewAt && before.isWarned;
  return {
    held: { ...before, code, since: isLost ? now : before.since, heldValue, reviewAt, isWarned },
    move: isLost ? { track, previousCode: before.code, number: level.number, toPay: [] } : undefined,
  };
}

/** The ends of periods before the last one whose reviews are overdue: their values must be read to carry these out. */
export function overduePeriods(
  track: LevelTrack,
  { reviewAt }: Pick<HeldLevel, 'reviewAt'>,
  now: Timestamp,
): readonly Timestamp[] {
  const { previous } = periodsOfTrack(track, now);
  const ends: Timestamp[] = [];
  if (previous === undefined) return ends;
  for (let end = reviewAt; end !== undefined && end <= previous.from && ends.length < REVIEWS_MAX;) {
    ends.push(end);
    end = nextReview(track, end);
  }
  return ends;
}
