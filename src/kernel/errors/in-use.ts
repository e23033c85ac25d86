import { DomainError } from './domain-error.ts';
import type { ErrorCodeName } from './error-codes.ts';
import { sentence, type Sentence } from '../sentence.ts';

/** The uses of a resource, each named by a sentence: sentence`campaign '${name}'`. */
export type Uses = readonly Sentence[];

/** The codes for the refusal of a removal. */
type InUse = Extract<ErrorCodeName, `${string}_IN_USE`>;

/** The most uses that a message names; it counts the others. */
export const NAMED_MAX = 10;

/**
 * Refuses the removal of a resource in use.
 * @param code the `..._IN_USE` code of the resource
 * @param instead the advice to the caller
 * @throws DomainError of that code, naming the uses
 */
export function requireUnused(code: InUse, uses: Uses, instead: Sentence): void {
  if (uses.length === 0) return;
  const more = uses.length > NAMED_MAX ? sentence` and ${uses.length - NAMED_MAX} more` : '';
  const names = uses.slice(0, NAMED_MAX);
  throw new DomainError(code, sentence`It is in use: ${names}${more}. ${instead}`);
}
