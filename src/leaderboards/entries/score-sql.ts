/** The largest value that ranks differently from higher ones, far above what the API shows: its score has 64 bits. */
const VALUE_MAX = 900_000_000_000_000;

/** SQL of the score of a value. @param sign SQL of -1 if the highest value is the best, otherwise of 1 */
export function scoreSql(sign: string, value: string): string {
  return `(${sign} * least(greatest(${value}, -${VALUE_MAX}), ${VALUE_MAX}) * 10000)::bigint`;
}
