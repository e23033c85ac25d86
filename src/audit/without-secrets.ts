import type { JsonValue } from '@bufbuild/protobuf';
import { maskedCodes } from '../kernel/secrets/masked-code.ts';

/** Keys whose values must never be stored a second time: what they protect is stored as a hash, or encrypted. */
const SECRET = /(secret|password|token|authenticationValue)$/i;

/** The key of a webhook's address: many receivers put a secret into its path. */
const ADDRESS = 'endpoint';

/** Characters of an address's path that stay, to tell one from another. */
const SHOWN = 2;

/**
 * JSON of an API message as it may stand in the audit log: without secrets, with codes masked, and with all but the end of
 * addresses masked.
 */
export function withoutSecrets(value: JsonValue): JsonValue {
  return keptOf(maskedCodes(value));
}

function keptOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(keptOf);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key, inner]) => !(SECRET.test(key) && typeof inner === 'string'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, key === ADDRESS ? address(inner) : keptOf(inner)]));
}

/** Where an address leads, and enough of the rest to see that it has changed. */
function address(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return keptOf(value);
  const url = URL.parse(value);
  if (url === null) return endOf(value);
  const rest = url.pathname + url.search;
  return rest === '/' ? url.origin : `${url.origin}/${endOf(rest)}`;
}

function endOf(text: string): string {
  return `••••${text.length > 2 * SHOWN ? text.slice(-SHOWN) : ''}`;
}
