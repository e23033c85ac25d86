import { type DescMethod, type DescMethodUnary, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import type { ConnectError } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { badRequest } from '../../kernel/domain-error.ts';
import { binarySteps, isLong } from '../../kernel/long-messages.ts';
import { inSlices } from '../../kernel/slices.ts';
import { connectErrorOf } from './connect-error.ts';
import { atEndOfTurn } from '../http/end-of-turn.ts';
import { type Exchange, headerOf } from '../http/exchange.ts';
import type { Gate } from '../http/gate.ts';
import { setGrpcStatus } from './grpc-status.ts';
import type { Operations } from './operations.ts';
import { readWhole } from '../http/read-body.ts';

/** Answers an exchange if it is a plain unary gRPC call, and tells whether it was. */
export type GrpcUnary = (exchange: Exchange) => Promise<void> | undefined;

/** Before each message: whether it is compressed, in one byte, and its length, in four. */
const PREFIX_BYTES = 5;

/**
 * Unary gRPC without detours: one message in, the operation as REST calls it, one message out. What is not plain (another
 * codec than protobuf, compressed messages, streams, HTTP/1.1) is left to Connect, which serves every form of every
 * protocol through a chain of asynchronous iterators, `Headers` and web streams.
 *
 * A deadline (`grpc-timeout`) is the caller's to keep, as with Connect: its cancellation arrives as a reset of the stream,
 * and an event that is being committed cannot be called back.
 */
export function createGrpcUnary(operations: Operations, gate: Gate, logger: Logger): GrpcUnary {
  const methods = new Map<string, DescMethodUnary>();
  for (const { typeName, methods: all } of operations.services) {
    for (const method of all) if (isUnary(method)) methods.set(`/${typeName}/${method.name}`, method);
  }

  async function serve(exchange: Exchange, method: DescMethodUnary): Promise<void> {
    exchange.protocol = 'grpc';
    exchange.route = exchange.path.slice(1);
    try {
      await gate(exchange, method);
      const request = messageIn(method, await readWhole(exchange, PREFIX_BYTES));
      const { message, header } = await operations.invoke(method, request, exchange);
      const isLarge = isLong(method.output, message);
      const bytes = isLarge ? await inSlices(binarySteps(method.output, message)) : toBinary(method.output, message);
      answerMessage(exchange, bytes, header);
    } catch (error) {
      answerStatus(exchange, connectErrorOf(error, exchange, logger));
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
    request.method === 'POST' &&
    (headerOf(request, 'grpc-encoding') ?? 'identity') === 'identity'
  );
}

/** @throws DomainError invalid unless the body is one whole message that is not compressed; tooLarge by {@link readWhole} */
function messageIn(method: DescMethodUnary, body: Buffer): Message {
  if (body.length < PREFIX_BYTES) throw badRequest('A unary call has one message. None was sent.');
  if (body[0] !== 0) throw badRequest('The message is compressed, and `grpc-encoding` does not say how.');
  const end = PREFIX_BYTES + body.readUInt32BE(1);
  if (body.length < end) throw badRequest('The message is shorter than the length before it says.');
  if (body.length > end) throw badRequest('A unary call has one message. More was sent.');
  try {
    return fromBinary(method.input, body.subarray(PREFIX_BYTES));
  } catch (error) {
    throw badRequest(`The message is no ${method.input.typeName}: ${(error as Error).message}.`);
  }
}

function answerMessage(exchange: Exchange, message: Uint8Array, header: Headers | undefined): void {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return;
  response.setHeader('content-type', 'application/grpc+proto');
  for (const [name, value] of header ?? []) response.setHeader(name, value);
  // Of several, the loop has left the last.
  const cookies = header?.getSetCookie() ?? [];
  if (cookies.length > 1) response.setHeader('set-cookie', cookies);
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  framed.writeUInt8(0, 0);
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, PREFIX_BYTES);
  response.addTrailers({ 'grpc-status': '0' });
  atEndOfTurn(() => response.end(framed));
}

/** A failure has no message, and its status stands in the headers at once. */
function answerStatus({ response }: Exchange, error: ConnectError): void {
  if (response.headersSent || response.destroyed) return;
  response.setHeader('content-type', 'application/grpc+proto');
  for (const [name, value] of setGrpcStatus(new Headers(), error)) response.setHeader(name, value);
  atEndOfTurn(() => response.end());
}
