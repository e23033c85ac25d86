import { isDeepStrictEqual } from 'node:util';

/**
 * Names of the columns in which two contents differ, those that may differ left out. Absent and null are the same, and so
 * are amounts and moments of one value.
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

/** As JSON would hold it: keys without a value and the order of keys do not tell two conditions apart. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  return typeof value === 'bigint' ? value : (JSON.parse(JSON.stringify(value)) as unknown);
}
