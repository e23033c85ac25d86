import { create, type DescMethod, type DescService, getOption, type Message } from '@bufbuild/protobuf';
import { nullable, omit_empty, streamed_at } from '../../gen/laurel/http/v1/options_pb.ts';
import { answer } from '../server/http/answer.ts';
import type { Exchange } from '../server/http/exchange.ts';
import type { Gate } from '../server/http/limits/gate.ts';
import type { InProcessStream } from '../server/rpc/in-process-stream.ts';
import { methodNotAllowed } from '../server/http/protocol-error.ts';
import { decompressedBody } from '../server/http/streams/stream-body.ts';
import { type Binding, bindingOf } from './binding.ts';
import { type EventStream, eventStreamOf, takeLastEventId, writeEvents } from './event-stream.ts';
import { type RequestReader, requestReaderOf } from './request-reader.ts';
import { type ResponseWriter, responseWriterOf } from './response-writer.ts';
import type { Route } from './route.ts';
import { routeMatcher } from './route-matcher.ts';
import { type Streamed, writeMessages } from './write-messages.ts';

/** The field with the bytes in a streamed message. */
const DATA = 'data';

/** The content types by the end of the path. */
const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.csv': 'text/csv; charset=utf-8; header=present',
};

/** Answers an exchange whose path belongs to a streaming operation; undefined for other paths. */
export type StreamedRoutes = (exchange: Exchange, gate: Gate) => Promise<void> | undefined;

/** One piece of a streamed answer. */
type Piece = Message & { readonly data: Uint8Array };

type StreamedRoute = Binding & {
  readonly read: RequestReader;
  readonly write: ResponseWriter;
  /** Undefined for a route that streams bytes. */
  readonly events: EventStream | undefined;
};

/**
 * REST in front of the streaming operations, at the path of `laurel.http.v1.streamed_at`: bytes, or server-sent events. Authentication, roles, trace and error bodies are
 * those of other operations. Bodies may have any length, with one piece in memory at a time.
 */
export function createStreamedRoutes(services: readonly DescService[], stream: InProcessStream): StreamedRoutes {
  const routes = services.flatMap((service) => service.methods.flatMap(routeOf));
  const find = routeMatcher(routes);
  return (exchange, gate) => {
    const match = find(exchange.requestMethod, exchange.path);
    if (match.kind === 'methodNotAllowed') {
      return Promise.reject(methodNotAllowed(exchange.requestMethod, match.allowed));
    }
    if (match.kind !== 'found') return undefined;
    return serve(exchange, gate, match.route, match.values, stream);
  };
}

function routeOf(rpc: DescMethod): StreamedRoute[] {
  const [httpMethod, path] = getOption(rpc, streamed_at).split(' ');
  if (httpMethod === undefined || path === undefined) return [];
  // A streaming operation is read and answered like a route of another kind.
  const body = rpc.methodKind === 'client_streaming' ? DATA : '';
  const responseBody = rpc.methodKind === 'client_streaming' ? (rpc.output.fields[0]?.name ?? '') : '';
  const route = { rpc, httpMethod, path, body, responseBody, successStatus: 200, filterErrorCode: 'BAD_REQUEST' };
  const binding = bindingOf(route as unknown as Route);
  return [
    {
      ...binding,
      events: eventStreamOf(rpc),
      read: requestReaderOf(binding),
      write: responseWriterOf(binding, { nullable, omitEmpty: omit_empty }),
    },
  ];
}

async function serve(
  exchange: Exchange,
  gate: Gate,
  route: StreamedRoute,
  values: readonly string[],
  stream: InProcessStream,
): Promise<void> {
  const rpc: DescMethod = route.rpc;
  exchange.route = `${rpc.parent.typeName}/${rpc.name}`;
  const mark = exchange.url.indexOf('?');
  const query = mark < 0 ? '' : exchange.url.slice(mark + 1);
  try {
    await gate(exchange, rpc);
    const first = route.read({ values, query, body: { bytes: undefined, contentType: undefined } });
    if (route.events) takeLastEventId(exchange, route.events, first);
    const isUpload = rpc.methodKind === 'client_streaming';
    const sent = isUpload ? uploaded(rpc, first, decompressedBody(exchange)) : only(first);
    const answers = (await stream(rpc, sent, exchange))[Symbol.asyncIterator]();
    // The answer begins with the first message; before that an error still has its own status.
    const { value } = await answers.next();
    if (isUpload) writeMessage(exchange, route, value as Message);
    else if (route.events)
      await writeEvents(exchange, { events: route.events, write: route.write }, { first: value, others: answers });
    else await writePieces(exchange, route, { first: value, others: answers as AsyncIterator<Piece> });
  } finally {
    // Unread data is discarded, so that a caller that is still sending receives the answer.
    exchange.request.resume();
  }
}

async function* only(message: Message): AsyncIterable<Message> {
  yield message;
}

/** Sends the fields of path and query first, then the bytes as they arrive. */
async function* uploaded(
  { input }: DescMethod,
  first: Message,
  body: AsyncIterable<Uint8Array>,
): AsyncIterable<Message> {
  yield first;
  for await (const data of body) yield create(input, { data });
}

function writeMessage(exchange: Exchange, route: StreamedRoute, message: Message): void {
  answer(exchange, 200, { 'content-type': 'application/json' }, route.write(message));
}

function writePieces(exchange: Exchange, { path }: StreamedRoute, pieces: Streamed<Piece>): Promise<void> {
  const { response } = exchange;
  response.setHeader('content-type', TYPES[path.slice(path.lastIndexOf('.'))]!);
  response.setHeader('content-disposition', `attachment; filename="${path.slice(path.lastIndexOf('/') + 1)}"`);
  response.setHeader('cache-control', 'no-store');
  return writeMessages(exchange, pieces, ({ data }) => data);
}
