import {
  create,
  type DescMessage,
  type DescMethod,
  isMessage,
  type Message,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import type { HandlerContext, Interceptor, StreamRequest, StreamResponse } from '@connectrpc/connect';
import { type Handler, type Invocation, LazyContext } from './in-process.ts';

/**
 * Calls a streaming operation in this process: no serialisation, no socket. The answers arrive one by one; before the first, it may fail
 * with the same error as a unary operation.
 * @throws ConnectError whose cause is the DomainError, if any; the iteration of the answers throws the same
 */
export type InProcessStream = (
  method: DescMethod,
  messages: AsyncIterable<Message>,
  invocation: Invocation,
) => Promise<AsyncIterable<Message>>;

type Next = Parameters<Interceptor>[0];

/** Wraps a streaming handler in interceptors, the first of them outermost, as Connect's own router does. */
export function inProcessStream(handler: Handler, interceptors: readonly Interceptor[]): InProcessStream {
  const chain = interceptors.reduceRight((next, interceptor) => interceptor(next), innermostOf(handler));
  return async (method, message, { contextValues, signal, requestMethod, url, header }) => {
    const { parent: service } = method;
    const request = { stream: true, service, method, message, contextValues, signal, requestMethod, url, header };
    const response = (await chain(request as StreamRequest)) as StreamResponse;
    return response.message as AsyncIterable<Message>;
  };
}

function innermostOf(handler: Handler): Next {
  return async (request) => {
    const { service, method } = request;
    const context = new LazyContext(request);
    const sent = request.message as AsyncIterable<Message>;
    const message = answersOf(handler, method, sent, context);
    const { responseHeader: header, responseTrailer: trailer } = context;
    return { stream: true, service, method, message, header, trailer } as unknown as Awaited<ReturnType<Next>>;
  };
}

async function* answersOf(
  handler: Handler,
  method: DescMethod,
  sent: AsyncIterable<Message>,
  context: HandlerContext,
): AsyncIterable<Message> {
  if (method.methodKind === 'client_streaming') {
    const handle = handler as unknown as (messages: AsyncIterable<Message>, context: HandlerContext) => Promise<Init>;
    yield messageOf(method.output, await handle(sent, context));
    return;
  }
  for await (const message of sent) {
    const answers = handler(message, context) as AsyncIterable<Init>;
    for await (const answer of answers) yield messageOf(method.output, answer);
  }
}

type Init = MessageInitShape<DescMessage>;

function messageOf(schema: DescMessage, init: Init): Message {
  return isMessage(init, schema) ? init : create(schema, init);
}
