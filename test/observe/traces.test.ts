import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { startTracing, type Tracing } from '../../src/commands/serving/start-tracing.ts';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';
import { type OtlpReceiver, startOtlpReceiver } from './otlp-receiver.ts';

const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];
const quiet = pino({ level: 'silent' });

let service: TestService;
let otlp: OtlpReceiver;
let webhook: Receiver;
let tracing: Tracing | undefined;

beforeAll(async () => {
  otlp = await startOtlpReceiver();
  webhook = await startReceiver();
  service = await startService();
  await newGame(service);
  const stored = await service.rest('PUT', '/webhooks/rewards', { endpoint: webhook.url, method: 'POST' });
  expect(stored.status).toBe(200);
});
afterEach(async () => {
  await tracing?.stop();
  tracing = undefined;
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await service.close();
  await webhook.close();
  await otlp.close();
});

/** Tracing as the service starts it, by OpenTelemetry's variables, which the exporter reads as well. */
async function trace(env: Readonly<Record<string, string>>): Promise<void> {
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, OTEL_BSP_SCHEDULE_DELAY: '50', ...env };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  tracing = await startTracing(process.env, quiet);
}

/** One event over gRPC; it creates its account. */
async function emit(externalId: string, headers: Record<string, string> = {}) {
  const transport = createGrpcTransport({ baseUrl: service.baseUrl });
  return createClient(TriggerService, transport).emitTrigger(
    { trigger: { programmaticCode: 'LOGIN', accountId: externalId, idType: Account_IdType.EXTERNAL } },
    { headers: { authorization: `Bearer ${service.apiKey}`, ...headers } },
  );
}

test('one event over gRPC, its batch, its SQL and its webhook are one trace, which continues the caller’s', async () => {
  await trace({ OTEL_SERVICE_NAME: 'laurel-test' });
  const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
  const sent = webhook.received.length;
  await emit('traced', { traceparent: `00-${caller.traceId}-${caller.spanId}-01` });
  const [request] = (await webhook.got(sent + 1)).slice(sent);
  const ofTrace = (name: RegExp) => otlp.until((span) => span.traceId === caller.traceId && name.test(span.name));

  const call = await ofTrace(/TriggerService\/EmitTrigger$/);
  expect(call).toMatchObject({
    kind: SERVER,
    parentSpanId: caller.spanId,
    service: 'laurel-test',
    attributes: { 'rpc.system.name': 'grpc', 'http.response.status_code': 200, 'laurel.client.id': service.clientId },
  });
  const batch = await ofTrace(/^batch events$/);
  expect(batch).toMatchObject({ kind: INTERNAL, attributes: { 'laurel.batch.jobs': 1 } });
  expect(batch.links).toMatchObject([{ traceId: caller.traceId, spanId: call.spanId }]);
  const statement = await ofTrace(/^insert outbox_message$/);
  expect(statement).toMatchObject({
    kind: CLIENT,
    parentSpanId: batch.spanId,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'insert outbox_message' },
  });
  await otlp.until(({ name, parentSpanId }) => name === 'commit' && parentSpanId === batch.spanId);
  const delivery = await ofTrace(/^webhook REWARDS$/);
  expect(delivery).toMatchObject({
    kind: CLIENT,
    parentSpanId: batch.spanId,
    attributes: { 'http.response.status_code': 204, 'laurel.webhook.outcome': 'DELIVERED' },
  });
  expect(request!.headers['traceparent']).toBe(`00-${caller.traceId}-${delivery.spanId}-01`);
});

test('a batch of several calls is linked to each of them', async () => {
  await trace({});
  await Promise.all(Array.from({ length: 40 }, (_, index) => emit(`together-${index}`)));
  const batch = await otlp.until(({ name, links }) => name === 'batch events' && links.length > 1);
  const calls = await Promise.all(
    batch.links.map((link) => otlp.until(({ spanId, kind }) => spanId === link.spanId && kind === SERVER)),
  );
  expect(new Set(calls.map(({ traceId }) => traceId)).size).toBe(batch.links.length);
  expect(batch.attributes['laurel.batch.jobs']).toBe(batch.links.length);
});

test('no value that a caller sent stands in any span', async () => {
  await trace({});
  await service.rest('POST', '/accounts/resolve?note=query-word', { externalId: 'body-word' });
  await otlp.until(({ name }) => name.includes('ResolveAccount'));
  await tracing?.stop();
  expect(JSON.stringify(otlp.spans)).not.toMatch(/query-word|body-word|lrl_|together-1/);
});

test.each([
  ['the sampler says never', { OTEL_TRACES_SAMPLER: 'always_off' }],
  ['the exporter is none', { OTEL_TRACES_EXPORTER: 'none' }],
  ['the SDK is disabled', { OTEL_SDK_DISABLED: 'true' }],
  ['no address is given', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
])('nothing is sent, and a webhook carries no header of ours, where %s', async (name, env) => {
  await trace(env);
  const before = otlp.spans.length;
  const sent = webhook.received.length;
  await emit(`not traced: ${name}`);
  // Spans of earlier tests may still be on their way.
  const isOwn = ({ body }: { readonly body: string }) => body.includes(`not traced: ${name}`);
  let count = sent;
  while (!(await webhook.got(count)).some(isOwn)) count = webhook.received.length + 1;
  const request = webhook.received.find(isOwn);
  await tracing?.stop();
  expect(otlp.spans.length).toBe(before);
  expect(request!.headers).not.toHaveProperty('traceparent');
});

test('a caller who does not sample is not sampled', async () => {
  await trace({});
  await emit('unsampled', { traceparent: `00-${'5'.repeat(32)}-00f067aa0ba902b7-00` });
  await tracing?.stop();
  expect(otlp.spans.filter(({ traceId }) => traceId === '5'.repeat(32))).toEqual([]);
});

test('a sampler that there is not stops the start, in words', async () => {
  await expect(trace({ OTEL_TRACES_SAMPLER: 'sometimes' })).rejects.toThrow(/OTEL_TRACES_SAMPLER must be/);
});

test('a receiver that is away or never answers costs no call anything, and the end two seconds at most', async () => {
  const silent = await startReceiver(() => {});
  for (const OTEL_EXPORTER_OTLP_ENDPOINT of ['http://127.0.0.1:9', silent.url]) {
    await trace({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_BSP_MAX_QUEUE_SIZE: '600' });
    const sent = webhook.received.length;
    await Promise.all(Array.from({ length: 100 }, (_, index) => emit(`away-${OTEL_EXPORTER_OTLP_ENDPOINT}-${index}`)));
    await webhook.got(sent + 100);
    const begun = performance.now();
    await tracing?.stop();
    expect(performance.now() - begun).toBeLessThan(4_000);
  }
  await silent.close();
});
