import { DomainError } from './domain-error.ts';

/** Things that use something, in words that name them: `campaign 'Spring'`. */
export type Uses = readonly string[];

/** Uses that a message names; the rest it only counts. */
const NAMED_MAX = 10;

/**
 * Refuses to take away what something else still needs.
 * @param resource gives the code: `AUDIENCE` is `AUDIENCE_IN_USE`
 * @param instead what to do first
 * @throws DomainError `..._IN_USE` naming the uses
 */
export function requireUnused(resource: string, uses: Uses, instead: string): void {
  if (uses.length === 0) return;
  const more = uses.length > NAMED_MAX ? ` and ${uses.length - NAMED_MAX} more` : '';
  const names = uses.slice(0, NAMED_MAX).join(', ');
  throw new DomainError('conflict', `${resource}_IN_USE`, `It is in use: ${names}${more}. ${instead}`);
}
