/** The value in the middle, or the mean of the two that are. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [lower, upper] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (lower === undefined || upper === undefined) throw new Error('There is no median of nothing.');
  return (lower + upper) / 2;
}

/** The value that `share` (0-1) of the values do not exceed, of values in ascending order; NaN of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Ratios of measurements that were made by turns, in words: their median, and from where to where they reach. */
export function describeRatios(ours: readonly number[], reference: readonly number[]): string {
  const ratios = ours.map((value, round) => value / reference[round]!).toSorted((a, b) => a - b);
  const range = `${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)}`;
  return `${median(ratios).toFixed(2)}, from ${range} in ${ratios.length} rounds`;
}
