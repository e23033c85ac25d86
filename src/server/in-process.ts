import {
  create,
  type DescMessage,
  type DescMethodUnary,
  isMessage,
  type Message,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import type { ContextValues, HandlerContext, Interceptor } from '@connectrpc/connect';

/** What an operation may know about its call. An `Exchange` is one. */
export type Call = {
  readonly contextValues: ContextValues;
  readonly signal: AbortSignal;
  readonly requestMethod: string;
  readonly url: string;
  readonly header: Headers;
};

/** A handler with its types forgotten; the registry pairs it with the method it was typed for. */
export type Handler = (message: Message, context: HandlerContext) => unknown;

/**
 * Calls a unary operation in this process: no serialisation, no socket. `header` holds what the operation set.
 * @throws ConnectError whose cause is the DomainError, if there was one
 */
export type InProcess = (
  method: DescMethodUnary,
  message: Message,
  call: Call,
) => Promise<{ readonly message: Message; readonly header: Headers | undefined }>;

type Next = Parameters<Interceptor>[0];

/** Wraps a handler in interceptors, the first of them outermost, as Connect's own router does. */
export function inProcess(handler: Handler, interceptors: readonly Interceptor[]): InProcess {
  const innermost = innermostOf(handler);
  const chain = interceptors.reduceRight((next, interceptor) => interceptor(next), innermost);
  return async (method, message, call) => {
    const response = await chain(requestOf(method, message, call));
    // The innermost function answers a unary request with a unary response, and no interceptor of ours changes that.
    return response as { message: Message; header: Headers | undefined };
  };
}

/** Connect's form of a unary request. Getters, because a call's signal and headers are made on first use. */
function requestOf(method: DescMethodUnary, message: Message, call: Call): Parameters<Next>[0] {
  return {
    stream: false,
    service: method.parent,
    method,
    message,
    contextValues: call.contextValues,
    requestMethod: call.requestMethod,
    url: call.url,
    get signal() {
      return call.signal;
    },
    get header() {
      return call.header;
    },
  };
}

/** The centre of the onion: the handler, with a context made from the request as the interceptors left it. */
function innermostOf(handler: Handler): Next {
  return async (request) => {
    const context = lazyContext(request);
    const output = await handler(request.message as Message, context);
    const { service, method } = request;
    const message = isMessage(output, method.output)
      ? output
      : create(method.output, output as MessageInitShape<DescMessage>);
    const { header, trailer } = context.made;
    return { stream: false, service, method, message, header, trailer } as Awaited<ReturnType<Next>>;
  };
}

type LazyContext = HandlerContext & { readonly made: { header: Headers | undefined; trailer: Headers | undefined } };

function lazyContext(request: Parameters<Next>[0]): LazyContext {
  const made: LazyContext['made'] = { header: undefined, trailer: undefined };
  return {
    made,
    method: request.method,
    service: request.service,
    values: request.contextValues,
    requestMethod: request.requestMethod,
    url: request.url,
    protocolName: 'rest',
    timeoutMs: () => undefined,
    get signal() {
      return request.signal;
    },
    get requestHeader() {
      return request.header;
    },
    get responseHeader() {
      made.header ??= new Headers();
      return made.header;
    },
    get responseTrailer() {
      made.trailer ??= new Headers();
      return made.trailer;
    },
  };
}
