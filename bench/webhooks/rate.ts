import { enqueueWebhooks } from '../../src/webhooks/outbox/enqueue-webhooks.ts';
import type { Result, Settings } from '../benchmark.ts';
import { whole } from '../report.ts';
import { inTurns } from '../support/in-turns.ts';
import { median } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';
import { type GotTask, startGotProcess } from './got-process.ts';
import { AUTHENTICATION, type Stage } from './stage.ts';
import type { Arrival } from './receivers.ts';
import { webhookBody } from './webhook-body.ts';

/** Enough clients for the service's maximum of requests in flight: 32 for each, 256 in all. */
const CLIENTS = 8;
const CONCURRENCY = 256;

/** Webhooks until the code is hot; a multiple of the clients. */
const WARM_UP = 4_000;

/**
 * The rate of webhooks with a full outbox, against a loop that only sends.
 * @returns also the number of webhooks sent by the service
 */
export async function measureRate(workbench: Workbench, stage: Stage, settings: Settings) {
  const service = await serviceSender(stage);
  const got = await gotSender(workbench, stage);
  const kept = { ...got, send: (count: number) => got.send(count, { keepAlive: true }) };
  for (const { send } of [kept, got, service]) await send(WARM_UP);
  const roughly = await service.send(WARM_UP);
  const countIn = (seconds: number) => Math.max(1, Math.round((roughly * seconds) / CLIENTS)) * CLIENTS;
  const turns = await inTurns(
    settings,
    (seconds) => got.send(countIn(seconds)),
    (seconds) => service.send(countIn(seconds)),
  );
  const keptPerSecond = await kept.send(countIn(settings.seconds));
  const result: Result = {
    unit: 'webhooks/s',
    ours: median(turns.ours),
    reference: median(turns.reference),
    details: {
      'in flight': `${CONCURRENCY} requests, ours for ${CLIENTS} clients, each request on a new connection`,
      'got with kept connections': `${whole(keptPerSecond)} webhooks/s; ours keeps none, to vet each address it connects to`,
      verified: `of ${whole(service.sent())} webhooks through the service each came once and is in the log once`,
    },
  };
  return { result, sent: service.sent() };
}

/** Adds webhooks to the outbox, which the service empties, and returns the rate of their arrivals. */
async function serviceSender(stage: Stage) {
  const clientIds: string[] = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    clientIds.push((await stage.client(`rate-${index}`, { signed: false })).clientId);
  }
  let sent = 0;
  return {
    sent: () => sent,
    async send(count: number): Promise<number> {
      const first = sent;
      sent += count;
      for (const [index, clientId] of clientIds.entries()) {
        const size = count / CLIENTS;
        const bodies = Array.from({ length: size }, (_, bodyIndex) => webhookBody(first + index * size + bodyIndex));
        const messages = bodies.map((json) => ({ kind: 'REWARDS_DELIVERED', json }) as const);
        await stage.db.unitOfWork(clientId, (uow) => enqueueWebhooks(uow, messages));
      }
      return rateOf(await stage.receivers.arrivals(count));
    },
  };
}

async function gotSender(workbench: Workbench, { receivers }: Stage) {
  const run = await startGotProcess(workbench);
  const endpoint = receivers.endpointOf('got');
  const headers = { 'content-type': 'application/json', ...AUTHENTICATION };
  return {
    async send(count: number, { keepAlive }: Pick<GotTask, 'keepAlive'> = { keepAlive: false }): Promise<number> {
      await run({ endpoint, headers, count, concurrency: CONCURRENCY, keepAlive });
      return rateOf(await receivers.arrivals(count));
    },
  };
}

/** Arrivals per second, between the first and the last. */
function rateOf(arrivals: readonly Arrival[]): number {
  return ((arrivals.length - 1) * 1_000) / (arrivals.at(-1)!.at - arrivals[0]!.at);
}
