/** The handling of equal values at the border of a prize's ranks. */
export const PRIZE_TIES = ['ALL', 'FIRST'] as const;

/** A prize of some ranks; it has either `lastRank` or `topShare`. */
export type Prize = {
  readonly firstRank: number;
  readonly lastRank?: number | undefined;
  /** The part of all entries, above 0 and at most 1. */
  readonly topShare?: number | undefined;
  readonly ties: (typeof PRIZE_TIES)[number];
  readonly rewardIds: readonly string[];
  /** The league in whose groups it is for these ranks; undefined for the ranks of the whole run. */
  readonly league?: number | undefined;
};

/** A place on a finished board. */
export type Place = {
  /** From 1; equal values share one. */
  readonly rank: number;
  /** The place in the list, from 1. */
  readonly position: number;
};

/** The prizes of a run with a known number of entries. */
export type PrizeRules = {
  /** The rewards of a place, with one for each prize that gives it. */
  rewardsAt(place: Place): string[];
  /** Whether no prize is at this place or a later one. */
  isBeyond(place: Place): boolean;
};

/** The decimals of a share that count: a product such as 0.07 × 100 is 7.000000000000001 in binary. */
const SHARE_DIGITS = 9;

/** The prizes of a run. @param entries the number of its entries */
export function prizeRules(prizes: readonly Prize[], entries: number): PrizeRules {
  const ranges = prizes.map(({ firstRank, lastRank, topShare = 0, ties, rewardIds }) => {
    const share = Math.ceil(Number((topShare * entries).toFixed(SHARE_DIGITS)));
    return { first: firstRank, last: lastRank ?? share, isByPosition: ties === 'FIRST', rewardIds };
  });
  const placeIn = ({ isByPosition }: (typeof ranges)[number], { rank, position }: Place) =>
    isByPosition ? position : rank;
  return {
    rewardsAt: (place) =>
      ranges.flatMap((range) => {
        const own = placeIn(range, place);
        return own >= range.first && own <= range.last ? range.rewardIds : [];
      }),
    isBeyond: (place) => ranges.every((range) => placeIn(range, place) > range.last),
  };
}
