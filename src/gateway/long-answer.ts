import { type DescMessage, type JsonObject, type Message, toJson } from '@bufbuild/protobuf';
import { longFields, type Nested, without } from '../kernel/long-messages.ts';
import type { Steps } from '../kernel/concurrency/time-slices.ts';

/** Changes the JSON of a message where the REST contract differs from protobuf's JSON. */
export type JsonEditor = {
  edit(json: JsonObject): void;
  /** The editor for the messages of a field. */
  below(jsonName: string): JsonEditor | undefined;
};

/** Characters after which text is converted to bytes: this uses far less memory than one text of the whole answer with its pieces. */
const PIECE = 64 * 1_024;

/**
 * The JSON of a message with very many others, in steps and as pieces of bytes.
 * @param only the JSON name of the only field to write; undefined: the whole message
 */
export function* longJson(
  type: DescMessage,
  message: Message,
  editor: JsonEditor | undefined,
  only?: string,
): Steps<Buffer[]> {
  const pieces = piecesOfText();
  yield* writeMessage(type, message, editor, pieces.write, only);
  return pieces.end();
}

type Write = (text: string) => void;

function* writeMessage(
  type: DescMessage,
  message: Message,
  editor: JsonEditor | undefined,
  write: Write,
  only?: string,
): Steps<void> {
  const long = longFields(type, message);
  const json = toJson(type, without(message, long), { alwaysEmitImplicit: true }) as JsonObject;
  editor?.edit(json);
  if (long.length === 0 && only === undefined) return write(JSON.stringify(json));
  const byName = new Map(long.map((nested) => [nested.field.jsonName, nested]));
  const names = only === undefined ? new Set([...Object.keys(json), ...byName.keys()]) : [only];
  let separator = '{';
  for (const name of names) {
    if (only === undefined) write(`${separator}${JSON.stringify(name)}:`);
    separator = ',';
    const nested = byName.get(name);
    if (nested) yield* writeNested(nested, editor?.below(name), write);
    else write(JSON.stringify(json[name] ?? null));
  }
  if (only === undefined) write('}');
}

function* writeNested({ type, messages, isList }: Nested, editor: JsonEditor | undefined, write: Write): Steps<void> {
  if (isList) write('[');
  for (const [index, each] of messages.entries()) {
    if (index > 0) write(',');
    yield* writeMessage(type, each, editor, write);
    yield;
  }
  if (isList) write(']');
}

function piecesOfText(): { readonly write: Write; end(): Buffer[] } {
  const pieces: Buffer[] = [];
  let texts: string[] = [];
  let length = 0;
  const flush = () => {
    pieces.push(Buffer.from(texts.join('')));
    [texts, length] = [[], 0];
  };
  return {
    write(text) {
      texts.push(text);
      length += text.length;
      if (length >= PIECE) flush();
    },
    end() {
      flush();
      return pieces;
    },
  };
}
