import { hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import { roundedNumber } from '../kernel/amount.ts';

/** A part of what a request says that decides its effect. A string is compared as it is. */
export type ContentPart =
  | string
  /** Compared without regard to case. */
  | { readonly kind: 'uuid'; readonly id: string }
  /** ID_TYPE_UNSPECIFIED, which is what a caller sends that sends none, says INTERNAL. */
  | { readonly kind: 'idType'; readonly idType: Account_IdType }
  /** An internal id is a UUID; an external one is compared as it is. */
  | { readonly kind: 'accountId'; readonly id: string; readonly idType: Account_IdType }
  /** The order of keys says nothing; `amount` is compared as it is read. */
  | { readonly kind: 'metadata'; readonly metadata: JsonObject | undefined };

/** A UUID that the caller named. */
export function uuid(id: string): ContentPart {
  return { kind: 'uuid', id };
}

/** The account that the caller named. */
export function namedAccount(idType: Account_IdType, id: string): [idType: ContentPart, id: ContentPart] {
  return [
    { kind: 'idType', idType },
    { kind: 'accountId', id, idType },
  ];
}

/** The digest of a request in the form in which all are compared: the same for two spellings of one request. */
export function fingerprintOf(content: readonly ContentPart[]): Buffer {
  return digest(content.map(normalised));
}

/**
 * The digest that v0.1.0 stored of the request, which it compared as it was sent. It is the same as {@link fingerprintOf}
 * where the request was sent in the normal form, so that both releases know each other's operations.
 */
export function fingerprintOfV010(content: readonly ContentPart[]): Buffer {
  return digest(content.map(asSent));
}

/** How an account is named by an id type, with the default that all operations share. */
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
  const { amount } = metadata;
  const rounded = typeof amount === 'number' ? roundedNumber(amount) : amount;
  return sorted(rounded === amount ? metadata : { ...metadata, amount: rounded! });
}

/** The same value with the keys of its objects in one order; the value itself where there is nothing to order. */
function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const keys = Object.keys(value);
  if (keys.length < 2 && keys.every((key) => typeof value[key] !== 'object')) return value;
  keys.sort();
  // A null prototype, so that a key `__proto__` is a key like any other.
  const result = Object.create(null) as JsonObject;
  for (const key of keys) result[key] = sorted(value[key]!);
  return result;
}

/** SHA-256 over the parts, each preceded by its length, so that no two lists of parts read the same. */
function digest(parts: readonly string[]): Buffer {
  return hash('sha256', parts.map((part) => `${part.length}:${part}`).join(''), 'buffer');
}
