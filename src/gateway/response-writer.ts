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
 * Writes the body of a successful answer of one route; undefined where the answer has none. Fields without presence are
 * always there, also when they are zero or empty, save lists whose option says otherwise; nullable ones are `null` when
 * they are not set.
 */
export type ResponseWriter = (response: Message) => string | undefined;

/** The same for an answer that holds thousands of messages, in slices of time and as pieces of bytes; undefined for any other. */
export type LongResponseWriter = (response: Message) => Promise<readonly Buffer[]> | undefined;

/** The writer of a route. @param options those that mark nullable fields, and lists that are left out when empty */
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

/** The writer of long answers of one route. @param options as {@link responseWriterOf} takes them */
export function longResponseWriterOf(binding: Binding, options: FieldOptions): LongResponseWriter {
  const { output } = binding.rpc;
  const field = binding.responseField;
  return (response) => {
    if (!isLong(output, response)) return undefined;
    // Created at the first use: creating it for every route at the start doubled the time of young garbage collections.
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

/** Where the JSON of one message type has to be changed. Types may contain themselves, and so may these. */
type Edits = {
  /** Keys that are written as `null` when they are missing. */
  readonly nullable: string[];
  /** Keys of lists that are left out when they are empty. */
  readonly omitEmpty: string[];
  readonly below: { readonly key: string; readonly kind: Container; readonly edits: Edits }[];
};

type Container = 'one' | 'list' | 'map';

/** Undefined if there is no such field in or below `message`: then its JSON need not be walked at all. */
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

/** The shape is certain: it was written from a message a moment ago. */
function messagesIn(json: JsonValue, kind: Container): readonly JsonObject[] {
  if (kind === 'list') return json as JsonObject[];
  return kind === 'map' ? (Object.values(json as JsonObject) as JsonObject[]) : [json as JsonObject];
}
