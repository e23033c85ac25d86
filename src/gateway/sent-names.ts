import { domainErrorOf } from '../server/rpc/error-table.ts';
import { InvalidRequest } from '../server/rpc/invalid-request.ts';
import type { Binding } from './binding.ts';

/**
 * The error with the field names that the caller of this route sent. If the body is one field of the request message, callers over REST do
 * not know that field: `trigger.accountId` is `accountId` for them.
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
