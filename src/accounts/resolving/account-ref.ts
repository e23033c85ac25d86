import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { parseId } from '../../kernel/ids.ts';
import { checkedText } from '../../kernel/text.ts';
import { sentence } from '../../kernel/sentence.ts';

/**
 * A caller's reference to an account, under the name of its request field, which messages mention. `ID_TYPE_UNSPECIFIED` means INTERNAL.
 */
export type AccountRef = { readonly idType: Account_IdType } & (
  | { readonly accountId: string }
  | { readonly intoAccountId: string }
  | { readonly externalId: string }
  | { readonly id: string }
);

/** A well-formed ref; its account need not exist. */
export type AccountKey = { readonly id: string } | { readonly externalId: string };

/** The accounts of a statement: by internal id and by external id. */
export type AccountKeys = { readonly ids: readonly string[]; readonly externalIds: readonly string[] };

/** The keys of a statement about one account. */
export function keysOf(key: AccountKey): AccountKeys {
  return 'id' in key ? { ids: [key.id], externalIds: [] } : { ids: [], externalIds: [key.externalId] };
}

/** Characters, not UTF-16 units: an emoji is one. */
const EXTERNAL_ID_LENGTH = 255;

/**
 * The requested account.
 * @throws DomainError `BAD_REQUEST` for an internal id that is not a UUID, or an invalid external id
 */
export function parseAccountRef(ref: AccountRef): AccountKey {
  const [field, text] = sentOf(ref);
  if (ref.idType === Account_IdType.EXTERNAL) return { externalId: checkedExternalId(text, field) };
  const id = parseId(text);
  if (id !== undefined) return { id };
  throw badRequest(
    sentence`${field} '${text}' is not a UUID. Send the id that the service returned, or your own id with idType=EXTERNAL.`,
  );
}

/** The `accountId` comes first, because the `id` of a request may identify another resource. */
function sentOf(ref: AccountRef): readonly [field: string, text: string] {
  if ('accountId' in ref) return ['accountId', ref.accountId];
  if ('intoAccountId' in ref) return ['intoAccountId', ref.intoAccountId];
  return 'externalId' in ref ? ['externalId', ref.externalId] : ['id', ref.id];
}

/**
 * The external id, exactly as sent.
 * @param field the name of the field in the request
 * @throws DomainError `BAD_REQUEST` for an external id that is empty, longer than 255 characters, or cannot be stored as sent
 */
export function checkedExternalId(text: string, field: string): string {
  if (text === '') throw badRequest(sentence`${field} is empty. Send 1-255 characters.`);
  if (text.length > EXTERNAL_ID_LENGTH && [...text].length > EXTERNAL_ID_LENGTH) {
    throw badRequest(sentence`${field} has ${[...text].length} characters. Send 1-${EXTERNAL_ID_LENGTH}.`);
  }
  return checkedText(text, field);
}

/** The 404 of a ref without an account. */
export function accountNotFound(key: AccountKey): DomainError {
  if ('id' in key) return new DomainError('ACCOUNT_NOT_FOUND', sentence`There is no account with the id ${key.id}.`);
  return new DomainError(
    'ACCOUNT_NOT_FOUND',
    sentence`There is no account with the externalId '${key.externalId}'. Resolve it first.`,
  );
}
