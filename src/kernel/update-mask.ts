import { badRequest, type DomainError } from './errors/domain-error.ts';
import { sentence } from './sentence.ts';

/**
 * The 400 of an update mask with a field that cannot be changed.
 * @param path the name of the field in the proto
 * @param allowed the JSON names of the allowed fields, as callers send and read a mask
 */
export function unchangeable(path: string, allowed: readonly string[]): DomainError {
  const sent = path.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  return badRequest(sentence`updateMask names '${sent}', which cannot be changed. Allowed: ${allowed}.`);
}
