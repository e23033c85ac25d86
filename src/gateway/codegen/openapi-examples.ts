import { createHash } from 'node:crypto';
import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { Binding } from '../binding.ts';
import { responseWriterOf } from '../response-writer.ts';
import type { FieldOptions } from '../route.ts';
import { integerRange, isValueMessage, sendableNames, type ValueType, valueTypeOf } from '../wire-form.ts';
import { constraintsOf } from './openapi-constraints.ts';
import { exampleDescriptions, exampleMoments, exampleNames, LEFT_OUT, sparseMessages } from './example-names.ts';
import { exampleValues } from './example-values.ts';

/**
 * The example of a request body, with {@link exampleOfField} for each field.
 * @param fields the fields of the body
 * @throws Error if it does not fit the message: a value of example-values.ts has the wrong form
 */
export function sentExample(message: DescMessage, fields: readonly DescField[] = message.fields): JsonObject {
  const json = objectOf(message, [], fields);
  check(message, json);
  return json;
}

/** The example of an answer; undefined without a body. The gateway's own writer writes it, so that it has the form of a real answer. */
export function answeredExample(binding: Binding, options: FieldOptions): JsonValue | undefined {
  const { output } = binding.rpc;
  const message = check(output, objectOf(output, []));
  const text = responseWriterOf(binding, options)(message);
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
}

/** The example of a parameter. */
export function exampleOfField(field: DescField): JsonValue | undefined {
  return valueOf(field, []);
}

/** A UUIDv7 of March 2026, the same for every resource of a kind, so that the examples refer to each other. */
export function exampleId(kind: string): string {
  const time = Date.parse('2026-03-02T09:15:00Z').toString(16).padStart(12, '0');
  const random = createHash('sha256').update(kind.toLowerCase()).digest('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

function check(message: DescMessage, json: JsonObject) {
  try {
    return fromJson(message, json);
  } catch (error) {
    throw new Error(`The example of ${message.typeName} is none. Mend example-values.ts.`, { cause: error });
  }
}

/** The messages around a field, the outermost first: a message within itself is left out. */
type Around = readonly DescMessage[];

function objectOf(message: DescMessage, around: Around, fields: readonly DescField[] = message.fields): JsonObject {
  const json: JsonObject = {};
  const within = [...around, message];
  for (const field of fields) {
    // The example has the first field of a oneof.
    if (field.oneof !== undefined && field.oneof.fields[0] !== field) continue;
    const value = valueOf(field, within);
    if (value !== LEFT_OUT) json[field.jsonName] = value;
  }
  return json;
}

function valueOf(field: DescField, around: Around): JsonValue | undefined {
  const own = `${nameOf(field.parent)}.${field.jsonName}`;
  if (own in exampleValues) return exampleValues[own];
  const isMessage = field.message !== undefined && !isValueMessage(field.message);
  if (field.jsonName in exampleValues) {
    const value = exampleValues[field.jsonName];
    if (value === LEFT_OUT || (!isMessage && hasForm(field, value))) return value;
  }
  if (sparseMessages.has(nameOf(field.parent)) || (isMessage && around.includes(field.message))) return LEFT_OUT;
  const one = oneOf(field, valueTypeOf(field), around);
  if (one === LEFT_OUT) return LEFT_OUT;
  if (field.fieldKind === 'list') return [one];
  return field.fieldKind === 'map' ? { key: one } : one;
}

/** A name may belong to fields of different types, so the form is checked. */
function hasForm(field: DescField, value: JsonValue | undefined): boolean {
  if (field.fieldKind === 'list') return Array.isArray(value);
  const type = valueTypeOf(field);
  if (type.kind === 'enum') return sendableNames(type.enum).some((name) => name === value);
  if (type.kind === 'message') return typeof value === 'object' || typeof value === typeof oneOf(field, type, []);
  return typeof value === typeof oneOf(field, type, []);
}

function oneOf(field: DescField, type: ValueType, around: Around): JsonValue | undefined {
  if (type.kind === 'enum') return field.jsonName === 'idType' ? 'EXTERNAL' : sendableNames(type.enum)[0];
  if (type.kind === 'message') return messageValue(field, type.message, around);
  const { minimum, exclusiveMinimum } = constraintsOf(field) as { minimum?: number; exclusiveMinimum?: number };
  if (integerRange(type.scalar) !== undefined) return Math.max(1, minimum ?? 1, (exclusiveMinimum ?? 0) + 1);
  switch (type.scalar) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.STRING:
      return textOf(field);
    case ScalarType.BYTES:
      return Buffer.from(textOf(field)).toString('base64');
    default:
      return Math.max(1, minimum ?? 1);
  }
}

function messageValue(field: DescField, message: DescMessage, around: Around): JsonValue | undefined {
  if (!isValueMessage(message)) return objectOf(message, around);
  const wrapped = isWrapperDesc(message) ? message.fields[0] : undefined;
  if (wrapped !== undefined) return oneOf(wrapped, valueTypeOf(wrapped), around);
  switch (message.typeName) {
    case 'google.protobuf.Timestamp':
      return exampleMoments[field.jsonName] ?? exampleMoments['otherwise'];
    case 'google.protobuf.Duration':
      return '3.5s';
    case 'google.protobuf.Struct':
      return { amount: 49.9 };
    case 'google.protobuf.Value':
      return 'ACTIVE';
    case 'google.protobuf.ListValue':
      return [];
    default:
      return LEFT_OUT;
  }
}

function textOf(field: DescField): string {
  const { parent, jsonName } = field;
  const { enum: allowed, const: only, format } = constraintsOf(field) as Record<string, unknown>;
  if (typeof only === 'string') return only;
  if (Array.isArray(allowed)) return String(allowed[0]);
  const kind = kindOf(parent);
  const namesAccount = jsonName === 'accountId' || (jsonName === 'id' && kind === 'Account');
  // If the request has an `idType`, the example is an external id.
  if (namesAccount && parent.fields.some((other) => other.jsonName === 'idType')) return 'customer-4711';
  if (jsonName === 'id') return exampleId(kind);
  if (/Ids?$/.test(jsonName)) return exampleId(idKinds[jsonName] ?? jsonName.replace(/Ids?$/, ''));
  if (format === 'uuid') return exampleId(jsonName);
  if (jsonName === 'name') return exampleNames[kind] ?? wordsOf(kind);
  const named = /^(\w)(\w*)Name$/.exec(jsonName);
  if (named) return exampleNames[`${named[1]?.toUpperCase()}${named[2]}`] ?? wordsOf(jsonName);
  if (jsonName === 'description') return exampleDescriptions[kind] ?? '';
  if (jsonName.endsWith('At')) return exampleMoments['otherwise'] ?? '';
  return wordsOf(jsonName);
}

/** The kinds of ids whose field name does not say it. */
const idKinds: Readonly<Record<string, string>> = {
  chestId: 'ChestDefinition',
  codeIds: 'ProductCode',
  ownClientId: 'Client',
  prerequisiteMissionIds: 'Mission',
};

/** Further kinds of resources with ids but without example names. */
const moreKinds = ['DeadTrigger', 'EarnedReward', 'PendingReward', 'ProductCode', 'Redemption', 'Reservation'];

/** The message's name as `Outer.Inner`, without the package. */
function nameOf(message: DescMessage): string {
  return message.typeName.slice(message.file.proto.package.length + 1);
}

/** The kind of resource in a message's name, the longest match: `CreateProductRequest` gives Product. */
function kindOf(message: DescMessage): string {
  const kinds = [...Object.keys(exampleNames), ...moreKinds].toSorted((a, b) => b.length - a.length);
  const own = kinds.find((kind) => message.name.includes(kind));
  if (own !== undefined) return own;
  if (message.name === 'Owner') return 'Account';
  return message.name.replace(/^(Get|List|Cancel|Open)|Request$|Response$/g, '');
}

/** The name in words: `startPath` as `Start path`. */
function wordsOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
