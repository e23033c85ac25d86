import type { JsonValue } from '@bufbuild/protobuf';

/** Keys whose values must never be stored a second time: what they protect is stored as a hash, or encrypted. */
const SECRET = /(secret|password|token|authenticationValue)$/i;

/** Keys of codes that are worth money, such as a voucher's; not of the names of events. */
const CODE = /^codes?$/;

/** The key of a webhook's address: many receivers put a secret into its path. */
const ADDRESS = 'endpoint';

/** Characters of a code, or of an address's path, that stay, to tell one from another. */
const SHOWN = 2;

/** JSON of an API message as it may stand in the audit log: without secrets, and with all but the end of codes and addresses masked. */
export function withoutSecrets(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key, inner]) => !(SECRET.test(key) && typeof inner === 'string'));
  return Object.fromEntries(
    kept.map(([key, inner]) => {
      if (key === ADDRESS) return [key, address(inner)];
      return [key, CODE.test(key) ? masked(inner) : withoutSecrets(inner)];
    }),
  );
}

function masked(value: JsonValue): JsonValue {
  if (typeof value === 'string') return endOf(value);
  return Array.isArray(value) ? value.map(masked) : withoutSecrets(value);
}

function endOf(text: string): string {
  return `••••${text.length > 2 * SHOWN ? text.slice(-SHOWN) : ''}`;
}

/** Where an address leads, and enough of the rest to see that it has changed. */
function address(value: JsonValue): JsonValue {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null) return masked(value);
  const rest = url.pathname + url.search;
  return rest === '/' ? url.origin : `${url.origin}/${endOf(rest)}`;
}
