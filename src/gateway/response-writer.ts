import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { isLong } from '../kernel/long-messages.ts';
import { inTimeSlices } from '../kernel/concurrency/time-slices.ts';
import type { Binding } from './binding.ts';
import { type JsonEditor, longJson } from './long-answer.ts';
import { type FieldOptions, isNullable, isOmittedEmpty } from './route.ts';
import { isValueMessage } from './wire-form.ts';

/**
 * Writes the body of a successful answer of one route; undefined for an answer without one. Fields without presence are always present,
 * even if zero or empty, except lists with the option to omit them. Unset nullable fields are `null`.
 */
export type ResponseWriter = (response: Message) => string | undefined;

/** Writes an answer with thousands of messages in time slices, as pieces of bytes; undefined for other answers. */
export type LongResponseWriter = (response: Message) => Promise<readonly Buffer[]> | undefined;

/**
 * The writer of a route.
 * @param options the options of nullable fields and omitted empty lists
 */
export function responseWriterOf(binding: Binding, options: FieldOptions): ResponseWriter {
  const { output } = binding.rpc;
  if (output.fields.length === 0 || binding.successStatus === 204) return () => undefined;
  const field = binding.responseField;
  const edits = editsOf(output, options);

  return (response) => {
    const json = toJson(output, response, { alwaysEmitImplicit: true }) as JsonObject;
    if (edits !== undefined) edit(edits, json);
    return JSON.stringify(field === undefined ? json : (json[field.jsonName] ?? null));
  };
}

/**
 * The writer of long answers of one route.
 * @param options as for {@link responseWriterOf}
 */
export function longResponseWriterOf(binding: Binding, options: FieldOptions): LongResponseWriter {
  const { output } = binding.rpc;
  const field = binding.responseField;
  return (response) => {
    if (!isLong(output, response)) return undefined;
    // The editor is created at the first use: creating one for every route at the start doubled the time of young garbage collections.
    const edits = editsOf(output, options);
    return inTimeSlices(longJson(output, response, edits && editorOf(edits), field?.jsonName));
  };
}

function editorOf(edits: Edits): JsonEditor {
  return {
    edit: (json) => edit(edits, json),
    below(jsonName) {
      const inner = edits.below.find(({ key }) => key === jsonName);
      return inner && editorOf(inner.edits);
    },
  };
}

/** The changes to the JSON of one message type. Types may contain themselves, and so may these. */
type Edits = {
  /** Keys that are written as `null` if missing. */
  readonly nullable: string[];
  /** Keys of lists that are left out if empty. */
  readonly omitEmpty: string[];
  readonly below: { readonly key: string; readonly kind: Container; readonly edits: Edits }[];
};

type Container = 'one' | 'list' | 'map';

/** The edits of a message; undefined if no field in or below it needs one, so that its JSON need not be walked. */
function editsOf(message: DescMessage, options: FieldOptions): Edits | undefined {
  return needsEdits(message, options, new Set()) ? planOf(message, options, new Map()) : undefined;
}

function planOf(message: DescMessage, options: FieldOptions, known: Map<DescMessage, Edits>): Edits {
  const earlier = known.get(message);
  if (earlier !== undefined) return earlier;
  const plan: Edits = { nullable: [], omitEmpty: [], below: [] };
  known.set(message, plan);
  for (const field of message.fields) {
    if (isNullable(field, options)) plan.nullable.push(field.jsonName);
    if (isOmittedEmpty(field, options)) plan.omitEmpty.push(field.jsonName);
    const inner = innerMessage(field);
    if (inner === undefined || !needsEdits(inner, options, new Set())) continue;
    plan.below.push({ key: field.jsonName, kind: containerOf(field), edits: planOf(inner, options, known) });
  }
  return plan;
}

function needsEdits(message: DescMessage, options: FieldOptions, seen: Set<DescMessage>): boolean {
  if (seen.has(message)) return false;
  seen.add(message);
  return message.fields.some((field) => {
    if (isNullable(field, options) || isOmittedEmpty(field, options)) return true;
    const inner = innerMessage(field);
    return inner !== undefined && needsEdits(inner, options, seen);
  });
}

function innerMessage(field: DescField): DescMessage | undefined {
  return field.message === undefined || isValueMessage(field.message) ? undefined : field.message;
}

function containerOf(field: DescField): Container {
  if (field.fieldKind === 'list') return 'list';
  return field.fieldKind === 'map' ? 'map' : 'one';
}

function edit(edits: Edits, json: JsonObject): void {
  for (const key of edits.nullable) json[key] ??= null;
  for (const key of edits.omitEmpty) if ((json[key] as JsonValue[]).length === 0) delete json[key];
  for (const { key, kind, edits: inner } of edits.below) {
    const value = json[key];
    if (value === undefined || value === null) continue;
    for (const each of messagesIn(value, kind)) edit(inner, each);
  }
}

/** The messages in a value, whose shape is certain: it was written from a message just before. */
function messagesIn(json: JsonValue, kind: Container): readonly JsonObject[] {
  if (kind === 'list') return json as JsonObject[];
  return kind === 'map' ? (Object.values(json as JsonObject) as JsonObject[]) : [json as JsonObject];
}
