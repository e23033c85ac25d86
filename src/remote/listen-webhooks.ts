import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookVerificationError } from '../../packages/typescript/src/webhooks.ts';
import { UsageError } from '../kernel/usage-error.ts';
import { checkedUrl } from './checked-url.ts';
import { type Output, print, styled, visible } from './output.ts';
import { countOf } from './values.ts';

/** The greatest body that is received, in bytes. */
const BODY_MAX = 1 << 20;

/** The time in which the receiver behind `--to` has to answer, as Laurel itself waits, in milliseconds. */
const FORWARD_MS = 5_000;

/** Headers of the request that belong to its connection. */
const OF_CONNECTION = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

/** `laurel webhooks listen`: receives webhooks on this machine, prints those that are genuine, and passes them on. */
export async function listenWebhooks({
  options,
}: {
  readonly options: Output & {
    readonly port?: string | undefined;
    readonly to?: string | undefined;
    readonly count?: string | undefined;
  };
}): Promise<void> {
  const secrets = (process.env['LAUREL_WEBHOOK_SECRET'] ?? '').split(',').filter((secret) => secret !== '');
  if (secrets.length === 0) {
    throw new UsageError(
      'Set LAUREL_WEBHOOK_SECRET to the signing secret, whsec_...; several are separated by commas.',
    );
  }
  const port = countOf('--port', options.port, 4318, 65_535, 0);
  const to = options.to === undefined ? undefined : checkedUrl(options.to);
  let left = countOf('--count', options.count, Infinity, Number.MAX_SAFE_INTEGER);
  const server = createServer((request, response) => {
    const answer = async (): Promise<number> => {
      const body = await bodyOf(request);
      if (body === undefined) return 413;
      const status = await receive(request, body);
      return to === undefined || status !== 200 ? status : forward(to, request, body);
    };
    answer().then(
      (status) => {
        response.writeHead(status).end();
        if (left <= 0) server.close();
      },
      (error: Error) => {
        console.error(error.message);
        response.writeHead(500).end();
      },
    );
  });
  const receive = async (request: IncomingMessage, body: Buffer<ArrayBuffer>): Promise<number> => {
    try {
      const parsed = await verifyWebhook<unknown>(body, request.headers, secrets);
      left -= 1;
      await print(options, parsed as never, () => lineOf(request, parsed));
      return 200;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      console.error(`refused: ${error.message}`);
      return 400;
    }
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  console.error(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}${to ? `, for ${to}` : ''}.`);
  process.once('SIGINT', () => server.close());
  await once(server, 'close');
}

/** The whole body; undefined if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Passes the same bytes and headers on, so that the receiver can verify them as well. */
async function forward(to: string, { headers }: IncomingMessage, body: Buffer<ArrayBuffer>): Promise<number> {
  const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers: kept.map(([name, value]) => [name, String(value)] as [string, string]),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_MS),
    });
    console.error(`  ${to} answered ${response.status}`);
    return response.status;
  } catch (error) {
    console.error(`  ${to} did not answer: ${(error as Error).message}`);
    return 502;
  }
}

/** One webhook in one line. The webhooks of fixed paths have no type. */
function lineOf({ headers, url = '/' }: IncomingMessage, parsed: unknown): string {
  const { type, occurredAt, test } = parsed as { type?: string; occurredAt?: string; test?: boolean };
  const words = [occurredAt, styled('bold', visible(type ?? url)), String(headers['webhook-id']), test && 'test'];
  return `${words.filter(Boolean).join('  ')}\n  ${visible(JSON.stringify(parsed))}`;
}
