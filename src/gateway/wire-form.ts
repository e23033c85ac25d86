import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { type Bounds, boundsInWords } from './number-bounds.ts';

/** The type of one value of a field: of the field itself, or of one element of a repeated field. */
export type ValueType =
  | { readonly kind: 'scalar'; readonly scalar: ScalarType }
  | { readonly kind: 'enum'; readonly enum: DescEnum }
  | { readonly kind: 'message'; readonly message: DescMessage };

/** The type of one value of the field; for a map, of each value. */
export function valueTypeOf(field: DescField): ValueType {
  if (field.scalar !== undefined) return { kind: 'scalar', scalar: field.scalar };
  if (field.enum !== undefined) return { kind: 'enum', enum: field.enum };
  if (field.message !== undefined) return { kind: 'message', message: field.message };
  throw new Error(`${field} has no type.`);
}

/** The well-known messages whose JSON is a single value instead of an object. */
const valueMessages: ReadonlyMap<string, string> = new Map([
  ['google.protobuf.Timestamp', 'a date-time such as "2026-01-31T12:00:00Z"'],
  ['google.protobuf.Duration', 'a duration in seconds such as "3.5s"'],
  ['google.protobuf.FieldMask', 'names of fields separated by commas'],
  ['google.protobuf.Struct', 'a JSON object'],
  ['google.protobuf.ListValue', 'a JSON array'],
  ['google.protobuf.Value', 'a JSON value'],
  ['google.protobuf.Any', 'a JSON object with "@type"'],
]);

/** Whether a message is a single value in JSON, so that it fits one query parameter. */
export function isValueMessage(message: DescMessage): boolean {
  return valueMessages.has(message.typeName) || isWrapperDesc(message);
}

/** Whether a query parameter is the JSON text of a message, as `filters` is. */
export function isJsonParameter(field: DescField): boolean {
  return field.fieldKind === 'message' && !isValueMessage(field.message);
}

export function isMessageOf(field: DescField, typeName: string): boolean {
  return field.fieldKind === 'message' && field.message.typeName === typeName;
}

/**
 * The expected value, as the end of the sentence "it must be ...".
 * @param bounds the range of the field, so that the message has 1000 instead of 2147483647
 */
export function expectationOf(type: ValueType, bounds: Bounds = {}): string {
  if (type.kind === 'scalar') return scalarExpectation(type.scalar, boundsInWords(bounds));
  if (type.kind === 'enum') return `one of ${sendableNames(type.enum).join(', ')}`;
  const wrapped = isWrapperDesc(type.message) ? type.message.fields[0] : undefined;
  if (wrapped !== undefined) return expectationOf(valueTypeOf(wrapped));
  return valueMessages.get(type.message.typeName) ?? 'a JSON object';
}

const DAY_OF_MOMENT = /^(\d{4})-(\d\d)-(\d\d)T(?!24)/;

/** Whether a text that protobuf reads as a Timestamp has an existing day and an hour below 24: protobuf reads 30 February as 2 March. */
export function isMoment(text: string): boolean {
  const [, year, month, day] = DAY_OF_MOMENT.exec(text) ?? [];
  return (
    day !== undefined && new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  );
}

/** An enum's values without the zero value for "not sent" (AIP-126). */
export function sendableNames(desc: DescEnum): string[] {
  const values = desc.values.filter((value) => value.number !== 0 || !value.name.endsWith('UNSPECIFIED'));
  return values.map((value) => value.name);
}

/** The smallest and largest value of an integer type; undefined for other types. */
export function integerRange(scalar: ScalarType): readonly [bigint, bigint] | undefined {
  switch (scalar) {
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return [-(2n ** 31n), 2n ** 31n - 1n];
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return [0n, 2n ** 32n - 1n];
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return [-(2n ** 63n), 2n ** 63n - 1n];
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return [0n, 2n ** 64n - 1n];
    default:
      return undefined;
  }
}

/** @param bounds the bounds of the field in words; without them those of the type are used */
function scalarExpectation(scalar: ScalarType, bounds: string): string {
  const range = integerRange(scalar);
  if (range !== undefined) return `an integer${bounds === '' ? ` from ${range[0]} to ${range[1]}` : bounds}`;
  switch (scalar) {
    case ScalarType.BOOL:
      return 'true or false';
    case ScalarType.BYTES:
      return 'text in base64';
    case ScalarType.STRING:
      return 'a string';
    default:
      return `a number${bounds}`;
  }
}
