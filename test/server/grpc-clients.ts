import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { type Code, ConnectError, createClient, encodeBinaryHeader } from '@connectrpc/connect';
import { compressionGzip, createGrpcTransport } from '@connectrpc/connect-node';
import { Client, compressionAlgorithms, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { ErrorInfoSchema } from '../../gen/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../../gen/google/rpc/status_pb.ts';
import {
  AccountService,
  ResolveAccountRequestSchema,
  ResolveAccountResponseSchema,
} from '../../gen/laurel/v1/account_service_pb.ts';
import type { TestServer } from './support.ts';

/** The operation that all of them call. */
export const PATH = '/laurel.v1.AccountService/ResolveAccount';

/** A credential that a test server knows. */
export const BEARER = { authorization: 'Bearer integrator' };

/** A kind of client. */
export type How = {
  readonly gzip?: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly binary?: Buffer;
};

/** The result of a call: the answer's account, or the error's code and its reason. */
export type CallResult = {
  readonly name?: string | undefined;
  readonly code?: Code;
  readonly reason?: string | undefined;
};

/** Resolves an account, and returns the client's result. */
export type Resolve = (request: MessageInitShape<typeof ResolveAccountRequestSchema>, how?: How) => Promise<CallResult>;

/** The same kinds, for a server. */
type Call = (server: TestServer, ...call: Parameters<Resolve>) => Promise<CallResult>;

/** With grpc-js, the client of most Node programs. */
export const byGrpcJs: Call = (server, message, { gzip, timeoutMs, signal, binary } = {}) => {
  const algorithm = compressionAlgorithms[gzip ? 'gzip' : 'identity'];
  const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': algorithm,
  });
  const metadata = new Metadata();
  metadata.set('authorization', BEARER.authorization);
  if (binary) for (const value of [binary, binary]) metadata.add('x-trace-bin', value);
  return new Promise<CallResult>((resolve) => {
    const running = client.makeUnaryRequest(
      PATH,
      (sent: typeof message) =>
        Buffer.from(toBinary(ResolveAccountRequestSchema, create(ResolveAccountRequestSchema, sent))),
      (bytes: Buffer) => fromBinary(ResolveAccountResponseSchema, bytes),
      message,
      metadata,
      timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs },
      (error: ServiceError | null, value) => {
        client.close();
        if (error === null) return resolve({ name: value?.account?.name });
        const [details] = error.metadata.get('grpc-status-details-bin') as Buffer[];
        const any =
          details && fromBinary(StatusSchema, details).details.map((each) => anyUnpack(each, ErrorInfoSchema));
        resolve({ code: error.code as number, reason: any?.[0]?.reason });
      },
    );
    signal?.addEventListener('abort', () => running.cancel());
  });
};

/** Calls with Connect's gRPC transport. */
export const byConnect: Call = async (server, message, { gzip, timeoutMs, signal, binary } = {}) => {
  const transport = createGrpcTransport({
    baseUrl: server.url,
    ...(gzip && { sendCompression: compressionGzip, compressMinBytes: 0 }),
  });
  const headers = new Headers(BEARER);
  if (binary) for (const value of [binary, binary]) headers.append('x-trace-bin', encodeBinaryHeader(value));
  try {
    const { account } = await createClient(AccountService, transport).resolveAccount(message, {
      headers,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signal && { signal }),
    });
    return { name: account?.name };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    return { code: error.code, reason: error.findDetails(ErrorInfoSchema)[0]?.reason };
  }
};
