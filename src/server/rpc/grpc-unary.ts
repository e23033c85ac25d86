import { type DescMethod, type DescMethodUnary, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import type { ConnectError } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { binarySteps, isLong } from '../../kernel/long-messages.ts';
import { inTimeSlices } from '../../kernel/concurrency/time-slices.ts';
import { sentence } from '../../kernel/sentence.ts';
import { connectErrorOf } from './connect-error.ts';
import { Deadline, timeoutOf } from './grpc-deadline.ts';
import { framed, gzippedFor, readMessage, UnnamedCompression } from './grpc-message.ts';
import { atEndOfTurn } from '../http/streams/end-of-turn.ts';
import { type Exchange, headerOf, isGone } from '../http/exchange.ts';
import type { Gate } from '../http/limits/gate.ts';
import { setGrpcStatus } from './grpc-status.ts';
import type { Operations } from './operations.ts';

/** Answers a plain unary gRPC call; undefined for any other exchange. */
export type GrpcUnary = (exchange: Exchange) => Promise<void> | undefined;

/**
 * Unary gRPC without detours: one message in, the operation as REST calls it, one message out. Other calls (another
 * codec than protobuf, streams, HTTP/1.1) go to Connect, which serves every form of every protocol through asynchronous
 * iterators, `Headers` and web streams.
 *
 * After a deadline (`grpc-timeout`) or a cancellation no further work starts. Running work is finished, because a
 * commit cannot be undone.
 */
export function createGrpcUnary(operations: Operations, gate: Gate, logger: Logger): GrpcUnary {
  const methods = new Map<string, DescMethodUnary>();
  for (const { typeName, methods: all } of operations.services) {
    for (const method of all) if (isUnary(method)) methods.set(`/${typeName}/${method.name}`, method);
  }

  async function serve(exchange: Exchange, method: DescMethodUnary): Promise<void> {
    exchange.protocol = 'grpc';
    exchange.route = exchange.path.slice(1);
    let deadline: Deadline | undefined;
    const refuse = (error: unknown) => {
      const failure = error instanceof UnnamedCompression ? error : connectErrorOf(error, exchange, logger);
      answerStatus(exchange, failure);
    };
    try {
      deadline = new Deadline(exchange, timeoutOf(exchange), refuse);
      await gate(exchange, method);
      if (!deadline.isOpen()) return;
      const request = messageOf(method, await readMessage(exchange));
      if (!deadline.isOpen()) return;
      const { message, header } = await operations.invoke(method, request, exchange);
      const isLarge = isLong(method.output, message);
      const bytes = isLarge
        ? await inTimeSlices(binarySteps(method.output, message))
        : toBinary(method.output, message);
      const gzipped = await gzippedFor(exchange, bytes);
      if (!deadline.hasPassed) answerMessage(exchange, { bytes, gzipped, header });
    } catch (error) {
      if (deadline?.hasPassed) connectErrorOf(error, exchange, logger);
      else refuse(error);
    } finally {
      deadline?.end();
    }
  }

  return (exchange) => {
    const method = isPlain(exchange) ? methods.get(exchange.path) : undefined;
    return method === undefined ? undefined : serve(exchange, method);
  };
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}

function isPlain({ request }: Exchange): boolean {
  const contentType = headerOf(request, 'content-type');
  return (
    (contentType === 'application/grpc' || contentType === 'application/grpc+proto') &&
    request.httpVersionMajor === 2 &&
    request.method === 'POST'
  );
}

/** @throws DomainError `BAD_REQUEST` if the bytes are no such message */
function messageOf(method: DescMethodUnary, bytes: Uint8Array): Message {
  try {
    return fromBinary(method.input, bytes);
  } catch (error) {
    throw badRequest(sentence`The message is no ${method.input.typeName}: ${(error as Error).message}.`);
  }
}

/** The answer of an operation: its message, possibly compressed, and its headers. */
type Answer = {
  readonly bytes: Uint8Array;
  readonly gzipped: Uint8Array | undefined;
  readonly header: Headers | undefined;
};

function answerMessage({ response }: Exchange, { bytes, gzipped, header }: Answer): void {
  if (response.headersSent || isGone(response)) return;
  response.setHeader('content-type', 'application/grpc+proto');
  if (gzipped !== undefined) response.setHeader('grpc-encoding', 'gzip');
  for (const [name, value] of header ?? []) response.setHeader(name, value);
  // The loop keeps only the last of several cookies.
  const cookies = header?.getSetCookie() ?? [];
  if (cookies.length > 1) response.setHeader('set-cookie', cookies);
  const message = framed(gzipped ?? bytes, gzipped !== undefined);
  response.addTrailers({ 'grpc-status': '0' });
  atEndOfTurn(() => response.end(message));
}

/** Answers a failure, which has no message, with its status in the headers. */
function answerStatus({ response }: Exchange, error: ConnectError): void {
  if (response.headersSent || isGone(response)) return;
  response.setHeader('content-type', 'application/grpc+proto');
  for (const [name, value] of setGrpcStatus(new Headers(), error)) response.setHeader(name, value);
  atEndOfTurn(() => response.end());
}
