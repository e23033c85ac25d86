import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Laurel } from '../../packages/typescript/src/index.ts';
import { addressOf, connect, type Connection } from '../remote/connect.ts';
import { countOf } from '../remote/values.ts';
import { createMcpServer } from './server.ts';
import { type Tool, toolsOf } from './tools.ts';

/** The options of `laurel mcp`. */
export type McpOptions = Connection & {
  readonly http?: boolean | undefined;
  readonly port?: string | undefined;
  readonly 'host-name'?: readonly string[] | undefined;
  readonly 'allow-writes'?: boolean | undefined;
  readonly tools?: string | undefined;
};

/** The deadline of a call with its repeats, in milliseconds: an assistant waits longer than a customer. */
const TIMEOUT_MS = 20_000;

/** `laurel mcp`: serves the tools over standard input and output, or over HTTP. */
export async function runMcp({ options }: { readonly options: McpOptions }, version: string): Promise<void> {
  const only = options.tools?.split(',').filter((part) => part !== '');
  const tools = toolsOf({ allowWrites: options['allow-writes'] === true, only });
  if (options.http) return serveHttp(options, tools, version);
  const laurel = await connect(options, { timeoutMs: TIMEOUT_MS });
  // Standard output belongs to the protocol.
  const server = serveStdio(() => createMcpServer({ laurel, tools, version }), {
    onerror: (error) => console.error(error.message),
  });
  // A file or /dev/null ends without being closed.
  await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  await server.close();
}

/**
 * Serves over HTTP on 127.0.0.1, without a key: each request is made with the credential that it carries, so that a caller has no permission
 * but its own.
 */
async function serveHttp(options: McpOptions, tools: ReadonlyMap<string, Tool>, version: string): Promise<void> {
  const port = countOf('--port', options.port, 8_090, 65_535, 0);
  const url = await addressOf(options, process.env);
  const handler = createMcpHandler(
    ({ authInfo }) =>
      createMcpServer({ laurel: new Laurel({ url, key: authInfo?.token, timeoutMs: TIMEOUT_MS }), tools, version }),
    { onerror: (error) => console.error(error.message) },
  );
  const names = options['host-name'] ?? [];
  const answer = async (request: Request): Promise<Response> => {
    // A page in a browser must not reach the server by a name that leads to this machine.
    const refused =
      hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...names]) ??
      originValidationResponse(request, [...localhostAllowedOrigins(), ...names]);
    if (refused) return refused;
    if (new URL(request.url).pathname !== '/mcp') return new Response(undefined, { status: 404 });
    const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (token === undefined) return new Response(undefined, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
    return handler.fetch(request, { authInfo: { token, clientId: 'laurel', scopes: [] } });
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing, answer).catch((error: Error) => {
      console.error(error.message);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  console.error(`Serving http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp for ${url}.`);
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  await once(server, 'close');
  await handler.close();
}

/** Hands a request of Node to a handler of the web, and its answer back. */
async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const aborted = new AbortController();
  outgoing.once('close', () => aborted.abort());
  const { method = 'GET', headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const request = new Request(`http://${headers.host ?? '127.0.0.1'}${incoming.url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    body: hasBody ? Readable.toWeb(incoming) : undefined,
    duplex: 'half',
    signal: aborted.signal,
  } as RequestInit);
  const response = await answer(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as never), outgoing);
}
