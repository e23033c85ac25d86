import { setImmediate } from 'node:timers/promises';
import type { DescMethod } from '@bufbuild/protobuf';
import { Code, ConnectError, createConnectRouter, createContextKey } from '@connectrpc/connect';
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import type { UniversalHandler, UniversalServerResponse } from '@connectrpc/connect/protocol';
import type { Logger } from 'pino';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { answer } from '../http/answer.ts';
import { connectBody } from './connect-body.ts';
import { connectErrorOf, errorInfo } from './connect-error.ts';
import { connectStatusOf, failureOf } from './error-table.ts';
import { type Exchange, exchangeKey, headerOf, isGone, type Protocol } from '../http/exchange.ts';
import type { Gate } from '../http/limits/gate.ts';
import { setGrpcStatus, thenPlainMessage, withPlainMessage } from './grpc-status.ts';
import type { Operations } from './operations.ts';
import { methodNotAllowed, type ProtocolError, unsupportedMediaType } from '../http/protocol-error.ts';
import { MAX_BODY_BYTES } from '../http/read-body.ts';
import { withErrorReason } from './reasons.ts';

/** Answers an exchange for an RPC; undefined for any other path. */
export type ConnectListener = (exchange: Exchange) => Promise<void> | undefined;

/** gRPC, gRPC-Web and Connect, over either HTTP version, for every registered operation. */
export function createConnectListener(operations: Operations, gate: Gate, logger: Logger): ConnectListener {
  const router = createConnectRouter({
    interceptors: operations.interceptors,
    // Strict like REST: a misspelt field is an error, not silence.
    jsonOptions: { ignoreUnknownFields: false, alwaysEmitImplicit: true },
    readMaxBytes: MAX_BODY_BYTES,
    acceptCompression: [compressionGzip, compressionBrotli],
    async requestGate({ values, method }) {
      const exchange = values.get(exchangeKey);
      if (exchange === undefined) throw new Error('An RPC was served without an exchange.');
      // For a stream the gate was asked before Connect: this throws its error.
      await (values.get(gatedKey) ?? gate(exchange, method)).catch((error: unknown) => {
        throw connectErrorOf(error, exchange, logger);
      });
    },
  });
  operations.routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return (exchange) => {
    const handler = handlers.get(exchange.path);
    if (handler !== undefined) return serve(handler, exchange, { gate, logger });
    return isGrpc(exchange) ? refuseGrpc(exchange) : undefined;
  };
}

type Serving = { readonly gate: Gate; readonly logger: Logger };

async function serve(handler: UniversalHandler, exchange: Exchange, { gate, logger }: Serving): Promise<void> {
  const { response } = exchange;
  exchange.protocol = protocolOf(exchange);
  exchange.route = exchange.path.slice(1);
  const isStream = handler.method.methodKind !== 'unary';
  if (isStream && !(await mayBegin(handler.method, exchange, { gate, logger }))) return;
  const universal = universalOf(exchange);
  const body = connectBody(exchange, isStream, (error) => connectErrorOf(error, exchange, logger));
  const first = await handler({ ...universal, body });
  const refusal = refusalOf(first, exchange);
  if (refusal !== undefined) throw refusal;
  const answered = spelledForProtocol(isStream ? first : await withErrorReason(first, exchange), exchange);
  noteFailure(exchange, answered);
  response.once('close', () => noteFailure(exchange, answered));
  try {
    await universalResponseToNodeResponse(answered, response);
  } catch (error) {
    // An error here is a bug, unless the caller has disconnected: Connect has answered the errors of the operation.
    if (!isGone(exchange.response)) throw error;
    exchange.failure ??= failureOf('CANCELED');
  }
}

/** The result of the gate for a stream. */
const gatedKey = createContextKey<Promise<void> | undefined>(undefined, { description: 'gated' });

/**
 * Whether a stream may begin. A stream that was reset at once, or that the gate refuses, does not reach Connect: its chain of iterators
 * costs more than all the rest.
 */
async function mayBegin(method: DescMethod, exchange: Exchange, { gate, logger }: Serving): Promise<boolean> {
  // Data after the stream's headers is read at the end of this turn.
  await setImmediate();
  if (isGone(exchange.response)) return false;
  const gated = gate(exchange, method);
  try {
    await gated;
  } catch (error) {
    if (exchange.protocol === 'grpc') {
      answerGrpc(exchange, connectErrorOf(error, exchange, logger));
      return false;
    }
  }
  exchange.contextValues.set(gatedKey, gated);
  return !isGone(exchange.response);
}

/** The answer with its message in the spelling for gRPC's own clients; gRPC-Web's and Connect's clients read Connect's spelling. */
function spelledForProtocol(answer: UniversalServerResponse, { protocol }: Exchange): UniversalServerResponse {
  const { header, body, trailer } = answer;
  if (protocol !== 'grpc') return answer;
  if (header) withPlainMessage(header);
  if (trailer === undefined || body === undefined) return answer;
  return { ...answer, body: thenPlainMessage(body, trailer) };
}

/** @throws DomainError if Connect cannot make a URL of the request: HTTP/1.0 without `Host`, or with a malformed one */
function universalOf({
  request,
  response,
  contextValues,
}: Exchange): ReturnType<typeof universalRequestFromNodeRequest> {
  try {
    return universalRequestFromNodeRequest(request, response, undefined, contextValues);
  } catch {
    throw badRequest('The header `Host` is missing or malformed.');
  }
}

/** Connect refuses a wrong method or media type with a bare status; the caller gets the documented body instead. */
function refusalOf({ status, body }: UniversalServerResponse, exchange: Exchange): ProtocolError | undefined {
  if (body !== undefined) return undefined;
  if (status === 405) return methodNotAllowed(exchange.requestMethod, ['POST']);
  if (status === 415)
    return unsupportedMediaType('Send Content-Type application/json, application/proto or application/grpc.');
  return undefined;
}

/** Interceptors do not see undecodable or too large bodies; gRPC's status has these errors. */
function noteFailure(exchange: Exchange, { header, trailer }: UniversalServerResponse): void {
  const status = Number(trailer?.get('grpc-status') ?? header?.get('grpc-status') ?? 0);
  if (status !== 0) exchange.failure ??= connectStatusOf(status);
}

function protocolOf(exchange: Exchange): Protocol {
  const contentType = headerOf(exchange.request, 'content-type') ?? '';
  if (contentType.startsWith('application/grpc-web')) return 'grpc-web';
  return contentType.startsWith('application/grpc') ? 'grpc' : 'connect';
}

function isGrpc(exchange: Exchange): boolean {
  return headerOf(exchange.request, 'content-type')?.startsWith('application/grpc') === true;
}

/** Answers an unknown service with a status in the headers, because gRPC clients read no JSON body. */
async function refuseGrpc(exchange: Exchange): Promise<void> {
  exchange.protocol = protocolOf(exchange);
  exchange.failure = failureOf('NOT_FOUND');
  const message = 'There is no such operation. Ask by reflection which there are.';
  const details = [errorInfo(exchange.failure.code, exchange.traceId)];
  answerGrpc(exchange, new ConnectError(message, Code.Unimplemented, undefined, details));
}

/** Answers a failure without a message, with its status in the headers. */
function answerGrpc(exchange: Exchange, error: ConnectError): void {
  const headers = new Headers({ 'content-type': headerOf(exchange.request, 'content-type') ?? 'application/grpc' });
  setGrpcStatus(headers, error);
  answer(exchange, 200, Object.fromEntries(headers), undefined);
}
