import { FLAG, FRAME, frame, grpcMessage, headerBlock } from './http2-frames.ts';

/** An attack: the content of every stream or connection, and its end. */
export type Attack = {
  /** Concurrent connections; a closed one is opened again. */
  readonly connections: number;
  /** Requests that are sent together on a connection. HTTP/1.1 has one on each. */
  readonly streams: number;
  /** The frames of one stream, for any id; or the bytes of an HTTP/1.1 request. */
  readonly sends: Buffer;
  readonly http: 1 | 2;
  /**
   * The end of the requests: all streams are reset after a moment, or at once in the same bytes; the connection is closed; everything stays
   * open to the end; or more of `drips` is sent on every stream, and answers are not read.
   */
  readonly ending: 'reset' | 'resetAtOnce' | 'hangUp' | 'hold' | 'drip';
  /** Bytes of a DATA frame for each stream, every 50 ms. */
  readonly drips?: Buffer;
  /** Whether the answers stay unread in the service's buffers. */
  readonly readsNothing?: boolean;
};

const WATCH = '/grpc.health.v1.Health/Watch';
const CHECK = '/grpc.health.v1.Health/Check';
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const EXPORT = '/laurel.admin.v1.ExportAdminService/ExportAccounts';
const UPLOAD = '/laurel.admin.v1.ImportAdminService/UploadImport';

const EMPTY = grpcMessage(Buffer.alloc(0));

/** ServerReflectionRequest with `file_containing_symbol`: its answer is the file with all imports, some 100 KB. */
const SYMBOL = Buffer.from('laurel.admin.v1.CampaignAdminService');
const QUESTION = grpcMessage(Buffer.concat([Buffer.from([0x22, SYMBOL.length]), SYMBOL]));

type Call = { readonly path: string; readonly type?: string; readonly authorization?: string };

function headersOf({ path, type = 'application/grpc', authorization }: Call): Record<string, string> {
  const headers = { ':method': 'POST', ':scheme': 'http', ':authority': 'localhost', ':path': path };
  return { ...headers, 'content-type': type, te: 'trailers', ...(authorization && { authorization }) };
}

/** The frames of a stream with a whole request, or of one that stays open if `message` is undefined or `end` is false. */
function stream(call: Call, message: Buffer | undefined = EMPTY, end = true): Buffer {
  const head = frame(FRAME.HEADERS, FLAG.END_HEADERS, 0, headerBlock(headersOf(call)));
  return Buffer.concat([head, frame(FRAME.DATA, end ? FLAG.END_STREAM : 0, 0, message)]);
}

function openStream(call: Call): Buffer {
  return frame(FRAME.HEADERS, FLAG.END_HEADERS, 0, headerBlock(headersOf(call)));
}

function http1({ path, type, authorization }: Call, body: Buffer): Buffer {
  const lines = [`POST ${path} HTTP/1.1`, 'host: localhost', `content-type: ${type}`, `content-length: ${body.length}`];
  if (authorization) lines.push(`authorization: ${authorization}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

/**
 * The attacks by name; each is sent alone, beside paying callers.
 * @param adminToken a token of a client with a broken backend, for the attacks that need a credential
 */
export function attacksWith(adminToken: string): Readonly<Record<string, Attack>> {
  const watch = stream({ path: WATCH });
  const download = `GET /admin/exports/accounts.csv HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${adminToken}\r\n\r\n`;
  const ofAccount = `GET /v1/accounts/ada/stream?idType=EXTERNAL HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${adminToken}\r\n\r\n`;
  return {
    nobody: { ...FLOOD, connections: 1, streams: 1, sends: watch, ending: 'hold' },
    'watches opened and dropped by 4 connections': { ...FLOOD, connections: 4, sends: watch, ending: 'reset' },
    'watches opened and dropped by 80 connections': { ...FLOOD, connections: 80, sends: watch, ending: 'reset' },
    'watches whose connection hangs up': { ...FLOOD, connections: 40, sends: watch, ending: 'hangUp' },
    'streams reset in the bytes that open them': {
      ...FLOOD,
      connections: 20,
      ending: 'resetAtOnce',
      sends: stream({ path: REFLECTION }, QUESTION, false),
    },
    'watches that are held': { ...FLOOD, connections: 80, streams: 100, sends: watch, ending: 'hold' },
    'streams without a message that are held': {
      ...FLOOD,
      connections: 80,
      streams: 100,
      ending: 'hold',
      sends: openStream({ path: REFLECTION }),
    },
    'messages that drip': {
      ...FLOOD,
      connections: 40,
      streams: 100,
      ending: 'drip',
      drips: Buffer.from('x'),
      sends: stream({ path: REFLECTION }, grpcMessage(Buffer.alloc(0), 0, 8_000), false),
    },
    'answers that nobody reads': {
      ...FLOOD,
      connections: 20,
      streams: 100,
      ending: 'drip',
      drips: QUESTION,
      readsNothing: true,
      sends: stream({ path: REFLECTION }, QUESTION, false),
    },
    'questions without end': {
      ...FLOOD,
      connections: 4,
      streams: 100,
      ending: 'drip',
      drips: QUESTION,
      sends: stream({ path: REFLECTION }, QUESTION, false),
    },
    'exports and uploads without a credential': {
      ...FLOOD,
      connections: 40,
      ending: 'reset',
      sends: stream({ path: EXPORT }),
    },
    'uploads with a credential that is unknown': {
      ...FLOOD,
      connections: 40,
      ending: 'hangUp',
      sends: stream({ path: UPLOAD, authorization: `Bearer ${adminToken.slice(0, -1)}x` }, EMPTY, false),
    },
    'gRPC-Web over HTTP/1.1': {
      ...FLOOD,
      connections: 400,
      ending: 'hangUp',
      http: 1,
      sends: http1({ path: WATCH, type: 'application/grpc-web+proto' }, EMPTY),
    },
    'Connect over HTTP/1.1, held': {
      ...FLOOD,
      connections: 1_000,
      ending: 'hold',
      http: 1,
      sends: http1({ path: WATCH, type: 'application/connect+proto' }, EMPTY),
    },
    'downloads that a client drops': {
      ...FLOOD,
      connections: 40,
      ending: 'hangUp',
      http: 1,
      sends: Buffer.from(download),
    },
    'streams of accounts that a client drops': {
      ...FLOOD,
      connections: 40,
      ending: 'hangUp',
      http: 1,
      sends: Buffer.from(ofAccount),
    },
    'streams of accounts that a client holds': {
      ...FLOOD,
      connections: 400,
      ending: 'hold',
      http: 1,
      sends: Buffer.from(ofAccount),
    },
    'unary calls opened and dropped': {
      ...FLOOD,
      connections: 80,
      ending: 'reset',
      sends: stream({ path: CHECK }),
    },
  };
}

const FLOOD = { streams: 1_000, http: 2 } as const;
