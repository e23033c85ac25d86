import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  isMessage,
  type Message,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import type { ContextValues, HandlerContext, Interceptor, UnaryRequest } from '@connectrpc/connect';

/** The facts about a call that an operation may use. An `Exchange` is one. */
export type Invocation = {
  readonly contextValues: ContextValues;
  readonly signal: AbortSignal;
  readonly requestMethod: string;
  readonly url: string;
  readonly header: Headers;
};

/** A handler with its types forgotten; the registry pairs it with the method it was typed for. */
export type Handler = (message: Message, context: HandlerContext) => unknown;

/**
 * Calls a unary operation in this process: no serialisation, no socket. `header` has the headers that the operation set.
 * @throws ConnectError whose cause is the DomainError, if any
 */
export type InProcess = (
  method: DescMethodUnary,
  message: Message,
  invocation: Invocation,
) => Promise<{ readonly message: Message; readonly header: Headers | undefined }>;

type Next = Parameters<Interceptor>[0];

/** Wraps a handler in interceptors, the first of them outermost, as Connect's own router does. */
export function inProcess(handler: Handler, interceptors: readonly Interceptor[]): InProcess {
  const innermost = innermostOf(handler);
  const chain = interceptors.reduceRight((next, interceptor) => interceptor(next), innermost);
  return async (method, message, invocation) => {
    const response = await chain(new InProcessRequest(method, message, invocation));
    // The innermost function answers a unary request with a unary response, and no interceptor of ours changes that.
    return response as { message: Message; header: Headers | undefined };
  };
}

/** The innermost function: the handler, with a context from the request after the interceptors. */
function innermostOf(handler: Handler): Next {
  return async (request) => {
    const { service, method } = request;
    const context = new LazyContext(request);
    const output = await handler(request.message as Message, context);
    const message = isMessage(output, method.output)
      ? output
      : create(method.output, output as MessageInitShape<DescMessage>);
    const { header, trailer } = context.made;
    return { stream: false, service, method, message, header, trailer } as Awaited<ReturnType<Next>>;
  };
}

// The two classes below exist for their getters: a call's signal and headers are made on first use, and an object literal's
// getters would be made again for every call.

/** Connect's form of a unary request. */
class InProcessRequest implements UnaryRequest {
  readonly stream = false;
  readonly service: DescService;
  readonly method: DescMethodUnary;
  readonly message: Message;
  readonly contextValues: ContextValues;
  readonly requestMethod: string;
  readonly url: string;
  readonly #invocation: Invocation;

  constructor(method: DescMethodUnary, message: Message, invocation: Invocation) {
    this.service = method.parent;
    this.method = method;
    this.message = message;
    this.contextValues = invocation.contextValues;
    this.requestMethod = invocation.requestMethod;
    this.url = invocation.url;
    this.#invocation = invocation;
  }

  get signal(): AbortSignal {
    return this.#invocation.signal;
  }

  get header(): Headers {
    return this.#invocation.header;
  }
}

/** The context of a handler; `made` has the response headers if the handler has used them. */
export class LazyContext implements HandlerContext {
  readonly method: DescMethod;
  readonly service: DescService;
  readonly values: ContextValues;
  readonly requestMethod: string;
  readonly url: string;
  readonly protocolName = 'rest';
  readonly made: { header: Headers | undefined; trailer: Headers | undefined } = {
    header: undefined,
    trailer: undefined,
  };
  readonly #request: Parameters<Next>[0];

  constructor(request: Parameters<Next>[0]) {
    this.method = request.method;
    this.service = request.service;
    this.values = request.contextValues;
    this.requestMethod = request.requestMethod;
    this.url = request.url;
    this.#request = request;
  }

  /** REST has no header for a deadline. */
  readonly timeoutMs = noTimeout;

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get requestHeader(): Headers {
    return this.#request.header;
  }

  get responseHeader(): Headers {
    this.made.header ??= new Headers();
    return this.made.header;
  }

  get responseTrailer(): Headers {
    this.made.trailer ??= new Headers();
    return this.made.trailer;
  }
}

function noTimeout(): undefined {
  return undefined;
}
