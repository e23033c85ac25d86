import { isDeepStrictEqual } from 'node:util';

/**
 * The names of the columns in which two contents differ, without those that may differ. Absent equals null, and amounts and times are equal
 * by value.
 */
export function fixedDifferences<Content extends object>(
  stored: Content,
  wanted: Partial<Content>,
  mutable: readonly (keyof Content)[],
): string[] {
  const names = Object.keys(wanted) as (keyof Content & string)[];
  return names.filter(
    (name) => !mutable.includes(name) && !isDeepStrictEqual(plain(stored[name]), plain(wanted[name])),
  );
}

/** The JSON form of a value: keys without a value and the order of keys make no difference. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  return typeof value === 'bigint' ? value : (JSON.parse(JSON.stringify(value)) as unknown);
}
