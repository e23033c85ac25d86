import { decimalOfAmount } from '../../expressions/decimal.ts';
import type { Variable } from '../../expressions/expression-type.ts';
import { ONE } from '../../kernel/amount.ts';

/** A track as expressions name it. */
export type NamedTrack = { readonly id: string; readonly code: string };

/** The beginning of a level's name in expressions. */
const PREFIX = 'account.levels.';

/** The name of an account's level in a track, in expressions. */
export function levelName(code: string): string {
  return `${PREFIX}${code}`;
}

/** Whether an expression reads levels. */
export function readsLevels({ names }: { readonly names: ReadonlySet<string> }): boolean {
  return [...names].some((name) => name.startsWith(PREFIX));
}

/**
 * The names of levels in expressions: numbers from 1, 0 for none.
 * @param numberOf the number in the context of an evaluation
 * @param sqlOf the SQL of the number; absent where expressions are not evaluated in SQL
 */
export function levelVariables<Context, Track extends NamedTrack>(
  tracks: readonly Track[],
  numberOf: (context: Context, trackId: string) => number | undefined,
  sqlOf?: (track: Track) => string | undefined,
): Array<[name: string, variable: Variable<Context>]> {
  return tracks.map((track) => {
    const read = (context: Context) => decimalOfAmount(BigInt(numberOf(context, track.id) ?? 0) * ONE);
    return [levelName(track.code), { type: 'NUMBER', read, sql: sqlOf?.(track) }];
  });
}
