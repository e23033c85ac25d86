import {
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  isFieldSet,
  type Message,
} from '@bufbuild/protobuf';
import { event_stream } from '../../gen/laurel/http/v1/options_pb.ts';
import { type Exchange, headerOf } from '../server/http/exchange.ts';
import type { ResponseWriter } from './response-writer.ts';
import { type Streamed, writeMessages } from './write-messages.ts';

/** The fields of a streaming operation that server-sent events carry in their own places. */
export type EventStream = {
  /** The field of a message that is the id of its event. */
  readonly id: DescField;
  /** The field of the request with the id of the last event, which a reader sends in `Last-Event-ID`. */
  readonly after: DescField;
};

/** The option of a method; undefined for one that streams bytes. @throws Error for a field that does not exist */
export function eventStreamOf(rpc: DescMethod): EventStream | undefined {
  if (!hasOption(rpc, event_stream)) return undefined;
  const { id, after } = getOption(rpc, event_stream);
  return { id: named(rpc, rpc.output, id), after: named(rpc, rpc.input, after) };
}

function named(rpc: DescMethod, { fields }: DescMessage, name: string): DescField {
  const field = fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`The option event_stream of ${rpc.toString()} names no field: ${name}.`);
  return field;
}

/** Takes the place where a reader continues: the header is newer than the address, which it sends again. */
export function takeLastEventId({ request }: Exchange, { after }: EventStream, message: Message): void {
  const sent = headerOf(request, 'last-event-id');
  if (sent) (message as Message & Record<string, unknown>)[after.localName] = sent;
}

/** Writes messages as server-sent events. A message with nothing but the id is a heartbeat, which readers do not see as an event. */
export async function writeEvents(
  exchange: Exchange,
  { events, write }: { readonly events: EventStream; readonly write: ResponseWriter },
  messages: Streamed<Message>,
): Promise<void> {
  const { response } = exchange;
  response.setHeader('content-type', 'text/event-stream');
  response.setHeader('cache-control', 'no-store');
  // Nginx passes on what it gets, and collects nothing.
  response.setHeader('x-accel-buffering', 'no');
  await writeMessages(exchange, messages, (message) => eventOf(message, events, write));
}

function eventOf(message: Message, { id }: EventStream, write: ResponseWriter): string {
  const line = `id: ${String((message as Message & Record<string, unknown>)[id.localName])}\n`;
  const hasMore = id.parent.fields.some((field) => field !== id && isFieldSet(message, field));
  return hasMore ? `${line}data: ${write(message)!}\n\n` : `${line}\n`;
}
