import type { JsonValue } from '@bufbuild/protobuf';

/** Keys whose values must never be stored a second time: what they protect is stored as a hash, or encrypted. */
const SECRET = /(secret|password|token|authenticationValue)$/i;

/** Keys of codes that are worth money, such as a voucher's; not of the names of events. */
const CODE = /^codes?$/;

/** Characters of a code that stay, to tell one from another. */
const SHOWN = 2;

/** JSON of an API message as it may stand in the audit log: without secrets, and with all but the end of codes masked. */
export function withoutSecrets(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key, inner]) => !(SECRET.test(key) && typeof inner === 'string'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, CODE.test(key) ? masked(inner) : withoutSecrets(inner)]));
}

function masked(value: JsonValue): JsonValue {
  if (typeof value === 'string') return `••••${value.length > 2 * SHOWN ? value.slice(-SHOWN) : ''}`;
  return Array.isArray(value) ? value.map(masked) : withoutSecrets(value);
}
