/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [lower, upper] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (lower === undefined || upper === undefined) throw new Error('There is no median of nothing.');
  return (lower + upper) / 2;
}

/** The value that `share` (0-1) of the values do not exceed. The values are ascending; NaN without values. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The ratios of measurements in turns, as text: their median and range. */
export function describeRatios(ours: readonly number[], reference: readonly number[]): string {
  const ratios = ours.map((value, round) => value / reference[round]!).toSorted((a, b) => a - b);
  const range = `${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)}`;
  return `${median(ratios).toFixed(2)}, from ${range} in ${ratios.length} rounds`;
}
