import { domainErrorOf } from '../server/rpc/error-table.ts';
import { InvalidRequest } from '../server/rpc/invalid-request.ts';
import type { Binding } from './binding.ts';

/**
 * The error with its fields named as the caller of this route sent them. Where the body is one field of the request
 * message, that field is nothing that a caller over REST has heard of: `trigger.accountId` is `accountId` to it.
 */
export function inSentNames(error: unknown, { bodyField }: Pick<Binding, 'bodyField'>): unknown {
  const fault = domainErrorOf(error);
  if (bodyField === undefined || !(fault instanceof InvalidRequest)) return error;
  const { jsonName } = bodyField;
  return new InvalidRequest(
    fault.fields.map((each) => {
      if (each.field === jsonName) return { ...each, field: 'the body' };
      return each.field.startsWith(`${jsonName}.`) ? { ...each, field: each.field.slice(jsonName.length + 1) } : each;
    }),
  );
}
