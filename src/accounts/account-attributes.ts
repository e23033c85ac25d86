import type { JsonObject } from '@bufbuild/protobuf';
import { BYTES_MAX, parseAttributes } from '../attributes/attribute-values.ts';
import { declaredAttributes } from '../clients/account-attributes.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** The attributes of an account after a change, null without any, and the names of those that changed. */
export type ChangedAttributes = { readonly attributes: JsonObject | null; readonly changed: readonly string[] };

/**
 * The attributes of an account with the sent ones merged by name; a `null` removes one.
 * @param sent null removes all
 * @throws DomainError `BAD_REQUEST` for an attribute that is not declared or does not fit its declaration, and for too many bytes
 */
export async function mergedAttributes(
  uow: UnitOfWork,
  stored: JsonObject | null,
  sent: JsonObject | null,
): Promise<ChangedAttributes> {
  const before = stored ?? {};
  if (sent === null) return { attributes: null, changed: Object.keys(before) };
  const { attributes: declared } = await declaredAttributes(uow);
  const { json } = parseAttributes(sent, declared, 'attributes');
  const removed = new Set(Object.keys(sent).filter((name) => sent[name] === null));
  const merged = Object.fromEntries(Object.entries({ ...before, ...json }).filter(([name]) => !removed.has(name)));
  const fault = sizeFault(merged);
  if (fault !== undefined) throw badRequest(fault);
  const changed = Object.keys(sent).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(merged[name]));
  return { attributes: Object.keys(merged).length === 0 ? null : merged, changed };
}

/** The message about attributes that have too many bytes together. */
export function sizeFault(attributes: JsonObject): Sentence | undefined {
  const size = Buffer.byteLength(JSON.stringify(attributes));
  return size > BYTES_MAX ? sentence`${'attributes'} has ${size} bytes, at most ${BYTES_MAX} are allowed.` : undefined;
}
