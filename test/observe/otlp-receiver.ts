import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received span, with its attributes by name. */
export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 INTERNAL, 2 SERVER, 3 CLIENT. */
  readonly kind: number;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The service of the span. */
  readonly service: string | undefined;
};

/** A receiver of OTLP over HTTP, like a collector. */
export type OtlpReceiver = {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Resolves with a matching span as soon as it arrives. */
  until(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  close(): Promise<void>;
};

type Attribute = { readonly key: string; readonly value: Record<string, unknown> };

/** Starts a receiver on loopback. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const waiting: (() => void)[] = [];
  const server = http.createServer((request, response) => void receive(request, response));
  async function receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    const { resourceSpans } = JSON.parse(await text(request));
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = valuesOf(resource.attributes)['service.name'] as string | undefined;
      for (const { spans: sent } of scopeSpans)
        for (const span of sent)
          spans.push({ ...span, links: span.links ?? [], attributes: valuesOf(span.attributes), service });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    for (const wake of waiting.splice(0)) wake();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async until(fits) {
      for (;;) {
        const found = spans.find(fits);
        if (found !== undefined) return found;
        await new Promise<void>((wake) => waiting.push(wake));
      }
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function valuesOf(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
