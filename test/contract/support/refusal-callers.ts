import { connect as connectHttp2 } from 'node:http2';
import { fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { errorFromJsonBytes } from '@connectrpc/connect/protocol-connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import { trailerParse } from '@connectrpc/connect/protocol-grpc-web';
import { BadRequestSchema, ErrorInfoSchema } from '../../../gen/google/rpc/error_details_pb.ts';
import type { Route } from '../../../src/gateway/route.ts';
import type { TestService } from '../../support/service.ts';
import { type Fields, restRequest } from './requests.ts';

/** The reason of the refusal: `ErrorInfo.reason`, over REST the body's `code`; undefined for a success. */
export type RefusedCall = {
  readonly reason: string;
  readonly message: string;
  /** The fields in `google.rpc.BadRequest`; an empty list over REST. */
  readonly fields?: readonly string[];
};

/** One call of an operation, with fields that may be malformed in any way that JSON allows. */
export type Call = {
  readonly route: Pick<Route, 'rpc' | 'path' | 'body' | 'httpMethod'>;
  readonly fields: Fields;
  readonly token?: string | undefined;
  /** The claimed compression of the body, which is not compressed. */
  readonly encoding?: string | undefined;
};

/** Sends a call by one protocol. */
export type Caller = (service: TestService, call: Call) => Promise<RefusedCall | undefined>;

/** Over REST: path, query and body as in the route. */
export const overRest: Caller = async (service, { route, fields, token = '' }) => {
  const { method, path, body } = restRequest(route as Route, textual(route, fields));
  const answer = await service.rest(method, path, body, token);
  return answer.status < 400 ? undefined : { reason: answer.body.code, message: answer.body.message };
};

/** Over Connect in JSON. */
export const overConnect: Caller = async (service, { route, fields, token, encoding }) => {
  const response = await fetch(service.baseUrl + pathOf(route), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...bearer(token),
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
    body: JSON.stringify(fields),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.ok) return undefined;
  return refusalOf(errorFromJsonBytes(bytes, undefined, new ConnectError('The answer is none of Connect.')));
};

/** Over gRPC with messages in JSON, which can have values that are impossible in protobuf messages. */
export const overGrpcJson: Caller = (service, call) =>
  overGrpcBytes(service, call, 'application/grpc+json', Buffer.from(JSON.stringify(call.fields)));

/** Over gRPC in binary form if the fields make a message; else like {@link overGrpcJson}. */
export const overGrpc: Caller = (service, call) => {
  const message = messageOf(call);
  return message === undefined
    ? overGrpcJson(service, call)
    : overGrpcBytes(service, call, 'application/grpc', message);
};

/** Over gRPC-Web with messages in JSON. */
export const overGrpcWeb: Caller = async (service, { route, fields, token, encoding }) => {
  const response = await fetch(service.baseUrl + pathOf(route), {
    method: 'POST',
    headers: {
      'content-type': 'application/grpc-web+json',
      ...bearer(token),
      ...(encoding !== undefined && { 'grpc-encoding': encoding }),
    },
    body: framed(Buffer.from(JSON.stringify(fields))),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  for (let at = 0; at < bytes.length;) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    if ((bytes[at]! & 0x80) !== 0) {
      const error = findTrailerError(trailerParse(bytes.subarray(at + 5, end)));
      return error && refusalOf(error);
    }
    at = end;
  }
  const error = findTrailerError(response.headers);
  return error && refusalOf(error);
};

const pathOf = ({ rpc }: Call['route']) => `/${rpc.parent.typeName}/${rpc.name}`;
const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

function refusalOf(error: ConnectError): RefusedCall {
  const fields = error
    .findDetails(BadRequestSchema)
    .flatMap((detail) => detail.fieldViolations.map(({ field }) => field));
  return {
    reason:
      error
        .findDetails(ErrorInfoSchema)
        .map(({ reason }) => reason)
        .join() || 'NO REASON',
    message: error.rawMessage,
    ...(fields.length > 0 && { fields }),
  };
}

function messageOf({ route, fields }: Call): Uint8Array | undefined {
  try {
    return toBinary(route.rpc.input, fromJson(route.rpc.input, fields as JsonValue));
  } catch {
    return undefined;
  }
}

function overGrpcBytes(
  service: TestService,
  { route, token, encoding }: Call,
  contentType: string,
  message: Uint8Array,
): Promise<RefusedCall | undefined> {
  const session = connectHttp2(service.baseUrl);
  const stream = session.request({
    ':method': 'POST',
    ':path': pathOf(route),
    'content-type': contentType,
    te: 'trailers',
    ...bearer(token),
    ...(encoding !== undefined && { 'grpc-encoding': encoding }),
  });
  return new Promise((resolve, reject) => {
    let refusal: RefusedCall | undefined;
    const listen = (headers: object) => {
      const error = findTrailerError(new Headers(entriesOf(headers)));
      if (error !== undefined) refusal = refusalOf(error);
    };
    stream.on('response', listen).on('trailers', listen).on('error', reject).resume();
    stream.once('close', () => {
      session.close();
      resolve(refusal);
    });
    stream.end(framed(message));
  });
}

function entriesOf(headers: object): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (name.startsWith(':') ? [] : [[name, String(value)]]));
}

function framed(message: Uint8Array): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Values in the address are text: an object there becomes its JSON. */
function textual({ path, body }: Call['route'], fields: Fields): Fields {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!.replaceAll('_', '').toLowerCase()));
  const inBody = (name: string) => (body === '*' ? !inPath.has(name.toLowerCase()) : name === body);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'object' && !inBody(name) ? JSON.stringify(value) : value,
    ]),
  );
}
