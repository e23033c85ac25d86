/** The compared quantities: the events of an account in an hour, or the points that rewards paid to it. */
export const MEASURES = ['EVENTS', 'POINTS'] as const;
export type Measure = (typeof MEASURES)[number];

/** The fewest accounts that are compared: among fewer nothing is usual. */
export const ACCOUNTS_MIN = 20;

/** Fewer events or points in an hour are never an outlier. */
export const FLOOR = 100;

/** By this factor the median absolute deviation of a normal distribution is its standard deviation. */
const DEVIATIONS = 1.4826;

/** The least deviation as a part of the median: accounts that all do the same have none. */
const SHARE_MIN = 0.5;

/** The most outliers of an hour: the farthest. */
const OUTLIERS_MAX = 20;

/** The usual of an hour. */
export type Usual = {
  readonly median: number;
  /** The median of the distances from the median. */
  readonly deviation: number;
  /** An account with more is an outlier. */
  readonly limit: number;
};

/**
 * The usual among the accounts that had any; undefined if they are fewer than {@link ACCOUNTS_MIN}. Medians stay the same whatever the
 * outliers do, unlike a mean, which a flood moves.
 * @param threshold the number of usual deviations above the median
 */
export function usualOf(values: readonly number[], threshold: number): Usual | undefined {
  if (values.length < ACCOUNTS_MIN) return undefined;
  const median = medianOf(values);
  const deviation = medianOf(values.map((value) => Math.abs(value - median)));
  const spread = Math.max(DEVIATIONS * deviation, SHARE_MIN * median);
  return { median, deviation, limit: Math.max(median + threshold * spread, FLOOR) };
}

/** An account far above the usual. */
export type Outlier = { readonly accountId: string; readonly observed: number; readonly usual: number };

/** The outliers among accounts, the farthest first. */
export function outliersAmong(values: ReadonlyMap<string, number>, threshold: number): Outlier[] {
  const usual = usualOf([...values.values()], threshold);
  if (usual === undefined) return [];
  return [...values]
    .filter(([, observed]) => observed > usual.limit)
    .map(([accountId, observed]) => ({ accountId, observed, usual: usual.median }))
    .toSorted((one, other) => other.observed - one.observed)
    .slice(0, OUTLIERS_MAX);
}

function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).toSorted();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
