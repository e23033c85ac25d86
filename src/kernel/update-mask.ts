import { badRequest, type DomainError } from './errors/domain-error.ts';
import { sentence } from './sentence.ts';

/**
 * The 400 of an update mask that names what cannot be changed.
 * @param path as the proto spells it
 * @param allowed as JSON spells them, which is how callers send and read a mask
 */
export function unchangeable(path: string, allowed: readonly string[]): DomainError {
  const sent = path.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  return badRequest(sentence`updateMask names '${sent}', which cannot be changed. Allowed: ${allowed}.`);
}
