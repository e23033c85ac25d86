import { type DescField, type DescMessage, fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { boundsOf } from './number-bounds.ts';
import { expectationOf, isValueMessage, valueTypeOf } from './wire-form.ts';

/**
 * The reason why `json` cannot be read as `message`, with the path as the sender spelled it (`filters[0].field`); undefined if it can. It
 * runs only after a failed reading, or for JSON in the query, so clarity matters more than speed. Protobuf's own reader checks every single
 * value, so both always agree.
 * @param elsewhere fields of `message` outside this JSON, which the message must not suggest
 */
export function jsonFaultOf(
  message: DescMessage,
  json: JsonValue,
  elsewhere: readonly DescField[] = [],
): string | undefined {
  if (isObject(json)) {
    const unknown = Object.keys(json).find((key) => fieldOf(message, key) === undefined);
    if (unknown !== undefined) return unknownKey(message, '', unknown, elsewhere);
  }
  return messageFault(message, json, '') ?? (reads(message, json) ? undefined : NESTED_TOO_DEEP);
}

/** Protobuf's reader accepts at most 100 levels of messages. */
const NESTED_TOO_DEEP = 'it is nested too deeply. Send at most 100 levels.';

/** The depth of the search: beyond protobuf's limit, but well within the stack. */
const DEEPEST = 120;

function messageFault(message: DescMessage, json: JsonValue, at: string, depth = 0): string | undefined {
  if (depth > DEEPEST) return NESTED_TOO_DEEP;
  if (!isObject(json)) return `${at === '' ? 'it' : at} must be a JSON object, not ${describe(json)}.`;
  const seen = new Map<string, string>();
  for (const [key, value] of Object.entries(json)) {
    const field = fieldOf(message, key);
    if (field === undefined) return unknownKey(message, at, key);
    const twice = sentTwice(seen, field, at, key);
    if (twice !== undefined) return twice;
    const fault = fieldFault(field, value, join(at, key), depth);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function fieldFault(field: DescField, json: JsonValue, at: string, depth: number): string | undefined {
  // Null leaves a field unset, except for a google.protobuf.Value, which can be null itself: both are valid.
  if (json === null) return undefined;
  if (field.fieldKind === 'list') {
    if (!Array.isArray(json)) return `${at} must be an array, not ${describe(json)}.`;
    return firstFault(
      json.map((element, index) => [`${at}[${index}]`, element]),
      (element, path) => valueFault(field, element, [element], path, depth),
    );
  }
  if (field.fieldKind === 'map') {
    if (!isObject(json)) return `${at} must be a JSON object, not ${describe(json)}.`;
    return firstFault(
      Object.entries(json).map(([key, value]) => [join(at, key), value, key]),
      (value, path, key) => valueFault(field, value, { [key]: value }, path, depth),
    );
  }
  return valueFault(field, json, json, at, depth);
}

/** @param whole the value of the field: itself, or the array or object around it */
function valueFault(
  field: DescField,
  json: JsonValue,
  whole: JsonValue,
  at: string,
  depth: number,
): string | undefined {
  const type = valueTypeOf(field);
  if (type.kind === 'message' && !isValueMessage(type.message)) return messageFault(type.message, json, at, depth + 1);
  if (reads(field.parent, { [field.jsonName]: whole })) return undefined;
  if (typeof json === 'string' && !json.isWellFormed()) {
    return `${at} holds half of a surrogate pair. Send well-formed Unicode.`;
  }
  return `${at} must be ${expectationOf(type, boundsOf(field))}, not ${describe(json)}.`;
}

type ValueAtPath = readonly [at: string, json: JsonValue, key?: string];

function firstFault(
  values: readonly ValueAtPath[],
  faultOf: (json: JsonValue, at: string, key: string) => string | undefined,
): string | undefined {
  for (const [at, json, key = ''] of values) {
    const fault = faultOf(json, at, key);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A field under both of its names, or two fields of a oneof. */
function sentTwice(seen: Map<string, string>, field: DescField, at: string, key: string): string | undefined {
  const slot = field.oneof === undefined ? field.name : `oneof ${field.oneof.name}`;
  const earlier = seen.get(slot);
  seen.set(slot, key);
  return earlier === undefined ? undefined : `${join(at, earlier)} and ${join(at, key)} cannot both be sent.`;
}

function fieldOf(message: DescMessage, key: string): DescField | undefined {
  return message.fields.find((field) => field.jsonName === key || field.name === key);
}

function unknownKey(message: DescMessage, at: string, key: string, elsewhere: readonly DescField[] = []): string {
  const known = message.fields.filter((field) => !elsewhere.includes(field)).map((field) => field.jsonName);
  const advice = known.length === 0 ? 'Send an empty object.' : `Send only ${known.join(', ')}.`;
  return `${quoted(join(at, key))} is not a field here. ${advice}`;
}

function reads(message: DescMessage, json: JsonValue): boolean {
  try {
    fromJson(message, json);
    return true;
  } catch {
    return false;
  }
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function describe(json: JsonValue): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return 'an array';
  return typeof json === 'object' ? 'an object' : quoted(json);
}

function quoted(value: string | number | boolean): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

function join(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`;
}
