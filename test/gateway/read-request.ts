import { type JsonObject, type Message, toJson } from '@bufbuild/protobuf';
import { bindingOf } from '../../src/gateway/binding.ts';
import { requestReaderOf } from '../../src/gateway/request-reader.ts';
import type { Route } from '../../src/gateway/route.ts';
import { routeMatcher } from '../../src/gateway/route-matcher.ts';

/** A request as a test writes it. */
export type TestRequest = {
  /** Method, path and query: `GET /books?page=1`. */
  readonly line: string;
  /** Sent as JSON; a string is sent unchanged. No body by default. */
  readonly body?: unknown;
  /** The bytes of the body, in place of `body`. */
  readonly bytes?: Uint8Array;
  readonly contentType?: string | undefined;
};

/** Reads requests through matcher and reader, as the gateway does; returns the message, also as JSON. */
export function requestsOf(routes: readonly Route[]): (request: TestRequest) => { message: Message; json: JsonObject } {
  const match = routeMatcher(routes.map(bindingOf));
  const readers = new Map(
    routes.map((route) => [`${route.httpMethod} ${route.path}`, requestReaderOf(bindingOf(route))]),
  );
  return ({ line, body, bytes = bytesOf(body), contentType }) => {
    const [httpMethod = '', url = ''] = line.split(' ');
    const [path = '', query = ''] = url.split(/\?(.*)/);
    const found = match(httpMethod, path);
    if (found.kind !== 'found') throw new Error(`${line}: ${found.kind}`);
    const read = readers.get(`${found.route.httpMethod} ${found.route.path}`);
    if (read === undefined) throw new Error(`${line}: no reader`);
    const message = read({ values: found.values, query, body: { bytes, contentType } });
    return { message, json: toJson(found.route.rpc.input, message) as JsonObject };
  };
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
