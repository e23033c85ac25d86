import type { DescMethodUnary } from '@bufbuild/protobuf';
import { answer } from './answer.ts';
import { restErrorOf } from '../rpc/error-table.ts';
import { type Exchange, headerOf } from './exchange.ts';
import type { Gate } from './limits/gate.ts';
import { readBody } from './read-body.ts';
import type { RestRequest, RestResponse } from './rest-message.ts';

/** The interface of the REST gateway, a higher layer that is passed in. */
export type RestGateway = {
  /** Finds the operation for a method and a URL, in Node's form. */
  match(method: string, url: string): RestMatch | RestRefusal;
  /** Runs the operation. Never rejects: errors become answers. */
  handle(match: RestMatch, request: RestRequest<Exchange>): Promise<RestResponse>;
  /** The answer for a request without an operation. */
  refuse(match: RestRefusal, traceId: string): RestResponse;
  /** The documented body for an error before the operation. */
  problem(error: unknown, traceId: string): RestResponse;
};

/** A request that an operation answers. */
export type RestMatch = { readonly kind: 'found'; readonly method: DescMethodUnary; readonly takesBody: boolean };

/** A request that no operation answers. */
export type RestRefusal = { readonly kind: 'notFound' | 'malformed' | 'methodNotAllowed' };

/** Answers one REST request: match, authenticate, read the body, run, write. */
export async function serveRest(gateway: RestGateway, gate: Gate, exchange: Exchange): Promise<void> {
  const { status, headers, body, pieces } = await respond(gateway, gate, exchange);
  answer(exchange, status, headers, pieces ?? body);
}

async function respond(gateway: RestGateway, gate: Gate, exchange: Exchange): Promise<RestResponse> {
  const { traceId, request } = exchange;
  const match = gateway.match(exchange.requestMethod, exchange.url);
  if (match.kind !== 'found') return gateway.refuse(match, traceId);
  exchange.route = `${match.method.parent.typeName}/${match.method.name}`;
  try {
    await gate(exchange, match.method);
    const body = match.takesBody ? await readBody(exchange) : undefined;
    const contentType = headerOf(request, 'content-type');
    const header = (name: string) => headerOf(request, name);
    const response = await gateway.handle(match, { body, contentType, header, traceId, context: exchange });
    // The interceptors do not see a request that cannot be read.
    if (response.failure !== undefined) exchange.failure = response.failure;
    return response;
  } catch (error) {
    exchange.failure = restErrorOf(error);
    return gateway.problem(error, traceId);
  }
}
