import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import type { Binding } from './binding.ts';
import { isNullable } from './route.ts';
import { isValueMessage } from './wire-form.ts';

/**
 * Writes the body of a successful answer of one route; undefined where the answer has none. Fields without presence are
 * always there, also when they are zero or empty; nullable ones are `null` when they are not set.
 */
export type ResponseWriter = (response: Message) => string | undefined;

/** The writer of a route. @param nullable the option that marks nullable fields */
export function responseWriterOf(binding: Binding, nullable: DescExtension | undefined): ResponseWriter {
  const { output } = binding.rpc;
  if (output.fields.length === 0 || binding.successStatus === 204) return () => undefined;
  const field = binding.responseField;
  const nulls = nullsOf(output, nullable);

  return (response) => {
    const json = toJson(output, response, { alwaysEmitImplicit: true }) as JsonObject;
    if (nulls !== undefined) writeNulls(nulls, json);
    return JSON.stringify(field === undefined ? json : (json[field.jsonName] ?? null));
  };
}

/** Where `null` may have to be written below one message type. Types may contain themselves, and so may these. */
type Nulls = {
  readonly fields: string[];
  readonly below: { readonly key: string; readonly kind: Container; readonly nulls: Nulls }[];
};

type Container = 'one' | 'list' | 'map';

/** Undefined if there is no nullable field below `message`: then its JSON need not be walked at all. */
function nullsOf(message: DescMessage, option: DescExtension | undefined): Nulls | undefined {
  if (option === undefined || !holdsNullable(message, option, new Set())) return undefined;
  return planOf(message, option, new Map());
}

function planOf(message: DescMessage, option: DescExtension, known: Map<DescMessage, Nulls>): Nulls {
  const earlier = known.get(message);
  if (earlier !== undefined) return earlier;
  const plan: Nulls = { fields: [], below: [] };
  known.set(message, plan);
  for (const field of message.fields) {
    if (isNullable(field, option)) plan.fields.push(field.jsonName);
    const inner = innerMessage(field);
    if (inner === undefined || !holdsNullable(inner, option, new Set())) continue;
    plan.below.push({ key: field.jsonName, kind: containerOf(field), nulls: planOf(inner, option, known) });
  }
  return plan;
}

function holdsNullable(message: DescMessage, option: DescExtension, seen: Set<DescMessage>): boolean {
  if (seen.has(message)) return false;
  seen.add(message);
  return message.fields.some((field) => {
    const inner = innerMessage(field);
    return isNullable(field, option) || (inner !== undefined && holdsNullable(inner, option, seen));
  });
}

function innerMessage(field: DescField): DescMessage | undefined {
  return field.message === undefined || isValueMessage(field.message) ? undefined : field.message;
}

function containerOf(field: DescField): Container {
  if (field.fieldKind === 'list') return 'list';
  return field.fieldKind === 'map' ? 'map' : 'one';
}

function writeNulls(nulls: Nulls, json: JsonObject): void {
  for (const key of nulls.fields) json[key] ??= null;
  for (const { key, kind, nulls: inner } of nulls.below) {
    const value = json[key];
    if (value === undefined || value === null) continue;
    for (const each of messagesIn(value, kind)) writeNulls(inner, each);
  }
}

/** The shape is certain: it was written from a message a moment ago. */
function messagesIn(json: JsonValue, kind: Container): readonly JsonObject[] {
  if (kind === 'list') return json as JsonObject[];
  return kind === 'map' ? (Object.values(json as JsonObject) as JsonObject[]) : [json as JsonObject];
}
