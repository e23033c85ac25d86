import type { DomainError } from './domain-error.ts';
import { httpStatuses } from './error-kinds.ts';

/** The error of one item of a batch, as the single call answers it over HTTP: the fields of `ItemError`. */
export function itemErrorOf({ kind, code, message }: DomainError) {
  return { statusCode: httpStatuses[kind], code, message };
}
