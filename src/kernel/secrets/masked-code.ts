import type { JsonValue } from '@bufbuild/protobuf';

/** Visible characters of a code or of its id. */
const SHOWN = 4;

/**
 * The masked form of a code: its last four characters. For a code shorter than eight these would be most of it, so the end of its id is
 * shown instead.
 * @param id the UUID of the code; without it all short codes look the same
 */
export function maskedCode(code: string, id?: string): string {
  if (code.length >= 2 * SHOWN) return `••••${code.slice(-SHOWN)}`;
  return id ? `••••#${id.slice(-SHOWN)}` : '••••';
}

/** The names of JSON fields with one or several codes; `programmaticCode` and similar names do not match. */
const CODE = /^codes?$/;

/** JSON of an API message with all codes masked, at any depth. A code's id is the field `id` beside it. */
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
  // In a list, the ids of the codes are not beside them.
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
