import { DomainError } from '../kernel/errors/domain-error.ts';
import { InvalidFilter } from '../persistence/lists/filter.ts';
import { domainErrorOf } from '../server/rpc/error-table.ts';
import { InvalidRequest } from '../server/rpc/invalid-request.ts';
import type { Binding } from './binding.ts';
import { isJsonParameter } from './wire-form.ts';

/**
 * The error for REST on this route. An error about a filter gets the route's own `code`, whether the gateway, a rule in the proto or the
 * operation found it. Other errors are returned unchanged.
 */
export function withFilterCode(error: unknown, binding: Binding): unknown {
  const fault = domainErrorOf(error);
  if (fault === undefined || fault.kind !== 'INVALID' || fault.code === binding.filterErrorCode) return error;
  if (!(fault instanceof InvalidFilter) && !isAboutFilters(fault, binding)) return error;
  return new DomainError(binding.filterErrorCode, fault.sentence, { cause: error, kind: 'INVALID' });
}

/** A broken rule counts as one of a filter only if the request has no other fault. */
function isAboutFilters(fault: DomainError, binding: Binding): boolean {
  if (!(fault instanceof InvalidRequest)) return false;
  const filters = binding.queryFields.filter(isJsonParameter).map((field) => field.jsonName);
  return fault.fields.every(({ field }) => filters.some((name) => field === name || field.startsWith(`${name}.`)));
}
