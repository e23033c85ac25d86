import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { Binding } from '../binding.ts';
import { type FieldOptions, isNullable, isOmittedEmpty } from '../route.ts';
import { integerRange, isValueMessage, sendableNames, type ValueType, valueTypeOf } from '../wire-form.ts';
import { constraintsOf, elementConstraintsOf, isRequired } from './openapi-constraints.ts';
import type { JsonSchema } from './openapi-types.ts';
import { commentOf } from './proto-comments.ts';
import { type MessageUse, usesOf } from './message-uses.ts';

/** The schemas of messages and enums. Each is written once, under `components`, at its first reference. */
export type Schemas = {
  /** The schema of a field's value as a property, parameter or whole body, without its description. */
  valueOf(field: DescField): JsonSchema;
  messageRef(message: DescMessage): JsonSchema;
  /** The properties of a message, and the names of those that are always present. */
  propertiesOf(message: DescMessage): { readonly properties: JsonSchema; readonly required: readonly string[] };
  /** The schema of a request body with some of a message's fields, under a separate name. */
  partRef(name: string, message: DescMessage, fields: readonly DescField[]): JsonSchema;
  /** The schemas referred to so far, by name. */
  components(): Record<string, JsonSchema>;
};

/**
 * The schemas of all requests and answers of `bindings`.
 * @param pushed the bodies of webhooks
 */
export function schemasFor(
  bindings: readonly Binding[],
  options: FieldOptions,
  pushed: readonly DescMessage[],
): Schemas {
  const book: Book = { uses: usesOf(bindings, pushed), options, written: new Map(), owners: new Map() };
  return {
    valueOf: (field) => valueSchema(book, field),
    messageRef: (message) => messageRef(book, message),
    propertiesOf(message) {
      const { properties, required = [] } = objectSchema(book, message, message.fields);
      return { properties: properties as JsonSchema, required: required as string[] };
    },
    partRef: (name, message, fields) => {
      book.written.set(name, objectSchema(book, message, fields));
      return refTo(name);
    },
    components: () => Object.fromEntries([...book.written].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

type Book = {
  readonly uses: ReadonlyMap<string, MessageUse>;
  readonly options: FieldOptions;
  readonly written: Map<string, JsonSchema>;
  /** The type that has each component name. */
  readonly owners: Map<string, string>;
};

function messageRef(book: Book, message: DescMessage): JsonSchema {
  const name = componentName(book, message);
  if (book.written.has(name)) return refTo(name);
  // The name is reserved before the schema is complete, because a message may contain itself.
  const schema: JsonSchema = {};
  book.written.set(name, schema);
  Object.assign(schema, objectSchema(book, message, message.fields));
  return refTo(name);
}

function enumRef(book: Book, desc: DescEnum): JsonSchema {
  const name = componentName(book, desc);
  book.written.set(name, described({ type: 'string', enum: sendableNames(desc) }, commentOf(desc)));
  return refTo(name);
}

/** Words that languages and generated clients use themselves: a type with that name would hide theirs. */
const TAKEN_WORDS: ReadonlySet<string> = new Set(['Error', 'Import', 'Client']);

/** The name without its package; with it if two packages use the same name. */
function componentName(book: Book, desc: DescMessage | DescEnum): string {
  const own = desc.typeName.slice(desc.file.proto.package.length + 1).replaceAll('.', '');
  const short = TAKEN_WORDS.has(own) ? `Laurel${own}` : own;
  const owner = book.owners.get(short) ?? desc.typeName;
  const name = owner === desc.typeName ? short : desc.typeName;
  book.owners.set(name, desc.typeName);
  return name;
}

function objectSchema(book: Book, message: DescMessage, fields: readonly DescField[]): JsonSchema {
  const use = book.uses.get(message.typeName) ?? { sent: true, answered: false, patched: false, pushed: false };
  const properties = fields.map((field) => [field.jsonName, propertySchema(book, field, use)] as const);
  const required = fields.filter((field) => isAlwaysThere(book, field, use)).map((field) => field.jsonName);
  const schema: JsonSchema = { type: 'object', properties: Object.fromEntries(properties) };
  if (required.length > 0) schema['required'] = required;
  // Unknown keys in a request are refused; answers may get further fields.
  if (use.sent && !use.answered) schema['additionalProperties'] = false;
  return described(schema, commentOf(message));
}

function propertySchema(book: Book, field: DescField, use: MessageUse): JsonSchema {
  const value = valueSchema(book, field);
  const mayBeNull = isNullable(field, book.options) || (use.patched && hasPresence(field));
  return described(mayBeNull ? orNull(value) : value, commentOf(field));
}

/**
 * Whether a field is always present. A request must contain the fields that a rule requires. An answer also contains all fields without
 * presence, except omitted empty lists, and all nullable fields.
 */
function isAlwaysThere(book: Book, field: DescField, use: MessageUse): boolean {
  if (isRequired(field)) return true;
  if (use.sent || isOmittedEmpty(field, book.options)) return false;
  if (use.pushed && field.fieldKind === 'list') return false;
  return !hasPresence(field) || isNullable(field, book.options);
}

function hasPresence(field: DescField): boolean {
  return field.presence !== FeatureSet_FieldPresence.IMPLICIT;
}

function valueSchema(book: Book, field: DescField): JsonSchema {
  const one = typeSchema(book, valueTypeOf(field));
  if (field.fieldKind === 'list') {
    const items = { ...one, ...elementConstraintsOf(field) };
    return { type: 'array', items, ...constraintsOf(field) };
  }
  if (field.fieldKind === 'map') return { type: 'object', additionalProperties: one, ...constraintsOf(field) };
  return { ...one, ...constraintsOf(field) };
}

function typeSchema(book: Book, type: ValueType): JsonSchema {
  if (type.kind === 'scalar') return scalarSchema(type.scalar);
  if (type.kind === 'enum') return enumRef(book, type.enum);
  if (!isValueMessage(type.message)) return messageRef(book, type.message);
  const wrapped = isWrapperDesc(type.message) ? type.message.fields[0] : undefined;
  if (wrapped !== undefined) return orNull(typeSchema(book, valueTypeOf(wrapped)));
  return { ...valueMessages[type.message.typeName] };
}

const valueMessages: Readonly<Record<string, JsonSchema>> = {
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', pattern: '^-?\\d+(\\.\\d{1,9})?s$' },
  'google.protobuf.FieldMask': { type: 'string' },
  'google.protobuf.Struct': { type: 'object', additionalProperties: true },
  'google.protobuf.ListValue': { type: 'array', items: {} },
  'google.protobuf.Value': {},
  'google.protobuf.Any': { type: 'object', additionalProperties: true },
};

function scalarSchema(scalar: ScalarType): JsonSchema {
  const range = integerRange(scalar);
  // JSON numbers cannot hold 64 bits exactly, so protobuf writes such integers as strings.
  if (range !== undefined && range[1] > 2n ** 32n)
    return { type: 'string', format: range[0] < 0n ? 'int64' : 'uint64' };
  if (range !== undefined)
    return range[0] < 0n ? { type: 'integer', format: 'int32' } : { type: 'integer', minimum: 0 };
  switch (scalar) {
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.STRING:
      return { type: 'string' };
    case ScalarType.BYTES:
      return { type: 'string', contentEncoding: 'base64' };
    default:
      return { type: 'number' };
  }
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** In OpenAPI 3.1 a reference may have a description, which explains the value here. */
function described(schema: JsonSchema, description: string): JsonSchema {
  return description === '' ? schema : { ...schema, description };
}
