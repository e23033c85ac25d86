import { DomainError } from './domain-error.ts';
import type { ErrorCodeName } from './error-codes.ts';

/** Things that use something, in words that name them: `campaign 'Spring'`. */
export type Uses = readonly string[];

/** The codes of what cannot be taken away. */
type InUse = Extract<ErrorCodeName, `${string}_IN_USE`>;

/** Uses that a message names; the rest it only counts. */
const NAMED_MAX = 10;

/**
 * Refuses to take away what something else still needs.
 * @param code `..._IN_USE` of what is to be taken away
 * @param instead what to do first
 * @throws DomainError of that code, naming the uses
 */
export function requireUnused(code: InUse, uses: Uses, instead: string): void {
  if (uses.length === 0) return;
  const more = uses.length > NAMED_MAX ? ` and ${uses.length - NAMED_MAX} more` : '';
  const names = uses.slice(0, NAMED_MAX).join(', ');
  throw new DomainError(code, `It is in use: ${names}${more}. ${instead}`);
}
