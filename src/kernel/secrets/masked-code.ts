import type { JsonValue } from '@bufbuild/protobuf';

/** Characters of a code, or of its id, that stay. */
const SHOWN = 4;

/**
 * The masked form of a code: its last four characters. For a code shorter than eight these would be most of it, so the
 * end of its id is shown instead.
 * @param id of the code, a UUID; without it short codes look alike
 */
export function maskedCode(code: string, id?: string): string {
  if (code.length >= 2 * SHOWN) return `••••${code.slice(-SHOWN)}`;
  return id ? `••••#${id.slice(-SHOWN)}` : '••••';
}

/** Names of JSON fields that hold a code, or several; `programmaticCode` and the like are none. */
const CODE = /^codes?$/;

/** JSON of an API message with all codes masked, at any depth. A code's id is the `id` that stands beside it. */
export function maskedCodes(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(maskedCodes);
  if (value === null || typeof value !== 'object') return value;
  const id = typeof value['id'] === 'string' ? value['id'] : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, CODE.test(key) ? maskedValue(inner, id) : maskedCodes(inner)]),
  );
}

function maskedValue(value: JsonValue, id?: string): JsonValue {
  if (typeof value === 'string') return maskedCode(value, id);
  // Several have an id each, and not here.
  return Array.isArray(value) ? value.map((each) => maskedValue(each)) : maskedCodes(value);
}

/** The codes in JSON of an API message, at any depth. */
export function codesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(codesIn);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!CODE.test(key)) return codesIn(inner);
    return [inner].flat().flatMap((each) => (typeof each === 'string' ? [each] : codesIn(each)));
  });
}
