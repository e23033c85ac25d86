import { type DescField, type DescMessage, type Message, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Steps } from './concurrency/time-slices.ts';

/** The number of messages in the lists of one message, at any depth, from which encoding in one step would delay other calls: 8 ms. */
const LONG = 1_000;

/** The number of messages below which a part of a long message is encoded in one step. */
const MESSAGES_PER_STEP = 100;

/** A field that holds messages. */
export type Nested = {
  readonly field: DescField;
  readonly type: DescMessage;
  /** A singular field has one message. */
  readonly messages: readonly Message[];
  readonly isList: boolean;
};

/** Whether a message contains so many others that it should be encoded in steps. */
export function isLong(type: DescMessage, message: Message): boolean {
  return elementsIn(type, message, LONG) >= LONG;
}

/** The fields of a message that are too long for one step. */
export function longFields(type: DescMessage, message: Message): Nested[] {
  return fieldsOf(type).flatMap((field) => {
    const messages = messagesOf(field, message);
    if (elementsOf(field, messages, MESSAGES_PER_STEP) < MESSAGES_PER_STEP) return [];
    return [{ field, type: field.message!, messages, isList: field.fieldKind === 'list' }];
  });
}

/** The message without the contents of some fields. */
export function without(message: Message, fields: readonly Nested[]): Message {
  const rest = { ...message } as Message & Record<string, unknown>;
  for (const { field, isList } of fields) {
    if (field.oneof) rest[field.oneof.localName] = { case: undefined };
    else rest[field.localName] = isList ? [] : undefined;
  }
  return rest;
}

/** The binary form of a message, in steps. It equals that of `toBinary` except for the order of the fields. */
export function* binarySteps(type: DescMessage, message: Message): Steps<Uint8Array> {
  const long = longFields(type, message);
  if (long.length === 0) return toBinary(type, message);
  const writer = new BinaryWriter().raw(toBinary(type, without(message, long)));
  for (const { field, type: inner, messages } of long) {
    for (const each of messages) {
      writer.tag(field.number, WireType.LengthDelimited).bytes(yield* binarySteps(inner, each));
      yield;
    }
  }
  return writer.finish();
}

/** The number of elements in the lists of a message; counting stops at `enough`. */
function elementsIn(type: DescMessage, message: Message, enough: number): number {
  let count = 0;
  for (const field of fieldsOf(type)) {
    count += elementsOf(field, messagesOf(field, message), enough - count);
    if (count >= enough) break;
  }
  return count;
}

function elementsOf(field: DescField, messages: readonly Message[], enough: number): number {
  let count = field.fieldKind === 'list' ? messages.length : 0;
  if (fieldsOf(field.message!).length === 0) return count;
  for (const each of messages) {
    if (count >= enough) break;
    count += elementsIn(field.message!, each, enough - count);
  }
  return count;
}

const NONE: readonly Message[] = [];

function messagesOf(field: DescField, message: Message): readonly Message[] {
  const values = message as Message & Record<string, unknown>;
  if (field.oneof !== undefined) {
    const chosen = values[field.oneof.localName] as { case?: string; value?: unknown };
    return chosen.case === field.localName ? [chosen.value as Message] : NONE;
  }
  const value = values[field.localName];
  if (field.fieldKind === 'list') return value as Message[];
  return value === undefined ? NONE : [value as Message];
}

const knownFields = new WeakMap<DescMessage, readonly DescField[]>();

/** The fields with messages; types of `google.protobuf` count as values. */
function fieldsOf(type: DescMessage): readonly DescField[] {
  const known = knownFields.get(type);
  if (known) return known;
  const fields = type.fields.filter(
    ({ fieldKind, message }) =>
      fieldKind !== 'map' && message !== undefined && !message.typeName.startsWith('google.protobuf.'),
  );
  knownFields.set(type, fields);
  return fields;
}
