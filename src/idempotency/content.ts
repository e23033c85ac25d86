import { hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import { roundedNumber } from '../kernel/amount.ts';

/** A part of a request that decides its effect. A string is compared unchanged. */
export type ContentPart =
  | string
  /** Compared without regard to case. */
  | { readonly kind: 'uuid'; readonly id: string }
  /** ID_TYPE_UNSPECIFIED, the value of an absent field, means INTERNAL. */
  | { readonly kind: 'idType'; readonly idType: Account_IdType }
  /** An internal id is a UUID; an external one is compared unchanged. */
  | { readonly kind: 'accountId'; readonly id: string; readonly idType: Account_IdType }
  /** The order of keys is ignored, as are keys that are null; `amount` is compared as a parsed number. */
  | { readonly kind: 'metadata'; readonly metadata: JsonObject | undefined };

/** A UUID from the caller. */
export function uuid(id: string): ContentPart {
  return { kind: 'uuid', id };
}

/** The account from the caller. */
export function namedAccount(idType: Account_IdType, id: string): [idType: ContentPart, id: ContentPart] {
  return [
    { kind: 'idType', idType },
    { kind: 'accountId', id, idType },
  ];
}

/** The digest of a normalised request: two spellings of one request have the same digest. */
export function fingerprintOf(content: readonly ContentPart[]): Buffer {
  return digest(content.map(normalised));
}

/**
 * The digest of v0.1.0, which compared requests unchanged. It equals {@link fingerprintOf} for a request in the normal form, so that both
 * releases recognise each other's operations.
 */
export function fingerprintOfV010(content: readonly ContentPart[]): Buffer {
  return digest(content.map(asSent));
}

/** The meaning of an id type, with the default that all operations share. */
export function readAs(idType: Account_IdType): 'EXTERNAL' | 'INTERNAL' {
  return idType === Account_IdType.EXTERNAL ? 'EXTERNAL' : 'INTERNAL';
}

function normalised(part: ContentPart): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'uuid':
      return part.id.toLowerCase();
    case 'idType':
      return `${Account_IdType[readAs(part.idType)]}`;
    case 'accountId':
      return readAs(part.idType) === 'INTERNAL' ? part.id.toLowerCase() : part.id;
    case 'metadata':
      return part.metadata === undefined ? '{}' : JSON.stringify(normalMetadata(part.metadata));
  }
}

function asSent(part: ContentPart): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'uuid':
    case 'accountId':
      return part.id;
    case 'idType':
      return `${part.idType}`;
    case 'metadata':
      return JSON.stringify(part.metadata ?? {});
  }
}

function normalMetadata(metadata: JsonObject): JsonValue {
  const present = withoutNulls(metadata);
  const { amount } = present;
  const rounded = typeof amount === 'number' ? roundedNumber(amount) : amount;
  return sorted(rounded === amount ? present : { ...present, amount: rounded! });
}

/** An attribute that is null is absent. */
function withoutNulls(metadata: JsonObject): JsonObject {
  const entries = Object.entries(metadata);
  return entries.every(([, value]) => value !== null)
    ? metadata
    : Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** The value with sorted keys in all its objects; unchanged if it contains no objects. */
function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const keys = Object.keys(value);
  if (keys.length < 2 && keys.every((key) => typeof value[key] !== 'object')) return value;
  keys.sort();
  // A null prototype makes `__proto__` an ordinary key.
  const result = Object.create(null) as JsonObject;
  for (const key of keys) result[key] = sorted(value[key]!);
  return result;
}

/** SHA-256 over the parts, each preceded by its length, so that two different lists never have the same text. */
function digest(parts: readonly string[]): Buffer {
  return hash('sha256', parts.map((part) => `${part.length}:${part}`).join(''), 'buffer');
}
