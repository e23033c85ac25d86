import { DomainError } from './domain-error.ts';
import type { ErrorCodeName } from './error-codes.ts';
import { sentence, type Sentence } from '../sentence.ts';

/** Things that use something, each told in words that name it: sentence`campaign '${name}'`. */
export type Uses = readonly Sentence[];

/** The codes of what cannot be taken away. */
type InUse = Extract<ErrorCodeName, `${string}_IN_USE`>;

/** Uses that a message names; the rest it only counts. */
export const NAMED_MAX = 10;

/**
 * Refuses to take away what something else still needs.
 * @param code `..._IN_USE` of what is to be taken away
 * @param instead what to do first
 * @throws DomainError of that code, naming the uses
 */
export function requireUnused(code: InUse, uses: Uses, instead: Sentence): void {
  if (uses.length === 0) return;
  const more = uses.length > NAMED_MAX ? sentence` and ${uses.length - NAMED_MAX} more` : '';
  const names = uses.slice(0, NAMED_MAX);
  throw new DomainError(code, sentence`It is in use: ${names}${more}. ${instead}`);
}
