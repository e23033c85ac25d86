import {
  type DescEnum,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { Bounds } from './number-bounds.ts';
import { jsonFaultOf } from './json-fault.ts';
import {
  expectationOf,
  integerRange,
  isMoment,
  isValueMessage,
  sendableNames,
  type ValueType,
  valueTypeOf,
} from './wire-form.ts';

/** Reads one value from a path segment or a query parameter as JSON. */
export type TextReader = (text: string) => TextReading;

export type TextReading =
  | { readonly ok: true; readonly json: JsonValue }
  /** `problem` is the end of a sentence that begins with the parameter: "must be an integer from ...". */
  | { readonly ok: false; readonly problem: string };

/**
 * The reader of a type. It is stricter than JSON: numbers are decimal, enums are names.
 * @param bounds the bounds of the field, only for the message: the rules of the proto enforce them
 */
export function textReaderOf(type: ValueType, bounds: Bounds = {}): TextReader {
  if (type.kind === 'enum') return strictReader(type, (text) => enumJson(type.enum, text));
  if (type.kind === 'message') return messageReaderOf(type.message);
  const range = integerRange(type.scalar);
  if (range !== undefined) return strictReader(type, (text) => integerJson(range, text), bounds);
  switch (type.scalar) {
    case ScalarType.BOOL:
      return strictReader(type, boolJson);
    case ScalarType.DOUBLE:
      return strictReader(type, numberJson, bounds);
    case ScalarType.FLOAT:
      return strictReader(type, (text) => numberJson(text, Math.fround), bounds);
    case ScalarType.BYTES:
      return strictReader(type, (text) => (/^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? text : undefined));
    default:
      return (text) => ({ ok: true, json: text });
  }
}

function messageReaderOf(message: DescMessage): TextReader {
  const wrapped = isWrapperDesc(message) ? message.fields[0] : undefined;
  if (wrapped !== undefined) return textReaderOf(valueTypeOf(wrapped));
  const type: ValueType = { kind: 'message', message };
  switch (message.typeName) {
    case 'google.protobuf.Timestamp':
      return strictReader(type, (text) => (reads(message, text) && isMoment(text) ? text : undefined));
    case 'google.protobuf.Duration':
    case 'google.protobuf.FieldMask':
      return strictReader(type, (text) => (reads(message, text) ? text : undefined));
    default:
      return isValueMessage(message)
        ? strictReader(type, (text) => parsedFor(message, text))
        : (text) => objectReading(message, text);
  }
}

/** A message without a shorter form is sent as JSON; a fault in it has its path. */
function objectReading(message: DescMessage, text: string): TextReading {
  const json = parsed(text);
  if (json === undefined) return { ok: false, problem: `must be valid JSON, percent-encoded: ${quoted(text)} is not` };
  const fault = jsonFaultOf(message, json) ?? missingList(message, json as JsonObject);
  if (fault === undefined) return { ok: true, json };
  return { ok: false, problem: `is not accepted: ${fault}` };
}

/** Refuses null for a list of conditions: it would be read as no conditions, which every row meets. */
function missingList(message: DescMessage, json: JsonObject): string | undefined {
  const field = message.fields.find(({ fieldKind, jsonName }) => fieldKind === 'list' && json[jsonName] === null);
  return field && `${field.jsonName} must be an array, not null.`;
}

function strictReader(type: ValueType, read: (text: string) => JsonValue | undefined, bounds?: Bounds): TextReader {
  const expectation = expectationOf(type, bounds);
  return (text) => {
    const json = read(text);
    return json === undefined
      ? { ok: false, problem: `must be ${expectation}, not ${quoted(text)}` }
      : { ok: true, json };
  };
}

function enumJson(desc: DescEnum, text: string): JsonValue | undefined {
  return sendableNames(desc).includes(text) ? text : undefined;
}

/** A decimal integer without leading zeros, as text, because 64-bit integers do not fit a number. */
function integerJson([smallest, largest]: readonly [bigint, bigint], text: string): JsonValue | undefined {
  // No integer type has more than 20 digits and a sign, so longer texts are not converted.
  if (text.length > 21 || !/^(0|-?[1-9]\d*)$/.test(text)) return undefined;
  const value = BigInt(text);
  return value < smallest || value > largest ? undefined : text;
}

function boolJson(text: string): JsonValue | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}

function numberJson(text: string, rounded: (value: number) => number = (value) => value): JsonValue | undefined {
  if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') return text;
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(rounded(value)) ? value : undefined;
}

function parsedFor(message: DescMessage, text: string): JsonValue | undefined {
  const json = parsed(text);
  return json !== undefined && reads(message, json) ? json : undefined;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function reads(message: DescMessage, json: JsonValue): boolean {
  try {
    fromJson(message, json);
    return true;
  } catch {
    return false;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}
