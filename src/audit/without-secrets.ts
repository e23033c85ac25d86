import type { JsonValue } from '@bufbuild/protobuf';
import { maskedCodes } from '../kernel/secrets/masked-code.ts';

/** Keys whose values must not be stored a second time: the secrets themselves are stored hashed or encrypted. */
const SECRET = /(secret|password|token|authenticationValue)$/i;

/** The keys of a webhook's address: many receivers put a secret into its path. */
const ADDRESSES: ReadonlySet<string> = new Set(['endpoint', 'url']);

/** Visible characters of an address's path, to distinguish addresses. */
const SHOWN = 2;

/** The JSON of an API message for the audit log: without secrets, with masked codes and partly masked addresses. */
export function withoutSecrets(value: JsonValue): JsonValue {
  return keptOf(maskedCodes(value));
}

function keptOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(keptOf);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key, inner]) => !(SECRET.test(key) && typeof inner === 'string'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, ADDRESSES.has(key) ? address(inner) : keptOf(inner)]));
}

/** The origin of an address, and enough of the rest to notice a change. */
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
