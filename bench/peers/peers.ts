import type { Result, Settings } from '../benchmark.ts';
import { measuredTogether } from '../measured-together.ts';
import type { LoadReport, LoadTask } from '../support/load-protocol.ts';
import { median } from '../support/statistics.ts';
import { withWorkbench } from '../support/workbench.ts';
import { startService } from '../triggers/service.ts';
import { startPeer } from './peer.ts';

/** Numbers of connections to try with each server: the best one differs. */
const CONNECTIONS = [32, 64, 128];

/** Seconds for each trial. */
const TRIAL = 3;

/** Seconds until the code is hot. */
const WARM_UP = 5;

/** The reference. The peers write a message for every event; ours writes one if an event closes a campaign, which none does here. */
const EVENT = 'the same event on the same PostgreSQL, written by hand, one transaction per event';

export default measuredTogether(
  'peers',
  {
    pg: { about: `Events applied per second over REST, against Fastify and the driver: ${EVENT}.`, aim: 2 },
    'mikro-orm': { about: `Events applied per second over REST, against Fastify and MikroORM: ${EVENT}.`, aim: 5 },
  },
  (settings) =>
    withWorkbench('peers', async (workbench) => {
      const ours = await prepare(await startService(workbench));
      const withPg = await prepare(await startPeer(workbench, 'fastify-pg'));
      const withOrm = await prepare(await startPeer(workbench, 'fastify-mikro-orm'));
      const contestants = [withPg, ours, withOrm];
      await measureInTurns(contestants, settings);
      for (const { verify } of contestants) await verify();
      return { pg: resultOf(ours, withPg), 'mikro-orm': resultOf(ours, withOrm) };
    }),
);

type Server = { measure(task: LoadTask): Promise<LoadReport>; verify(): Promise<void> };

/** A server, its best number of connections, and its measurements. */
type Contestant = Server & { readonly connections: number; readonly reports: LoadReport[] };

async function prepare(server: Server): Promise<Contestant> {
  await server.measure({ connections: CONNECTIONS[0]!, seconds: WARM_UP });
  let best = { connections: 0, perSecond: 0 };
  for (const connections of CONNECTIONS) {
    const { perSecond } = await server.measure({ connections, seconds: TRIAL });
    if (perSecond > best.perSecond) best = { connections, perSecond };
  }
  return { ...server, connections: best.connections, reports: [] };
}

async function measureInTurns(contestants: readonly Contestant[], { rounds, seconds }: Settings): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const { measure, connections, reports } of contestants) reports.push(await measure({ connections, seconds }));
  }
}

function resultOf(ours: Contestant, peer: Contestant): Result {
  return {
    unit: 'events/s',
    ours: typical(ours, ({ perSecond }) => perSecond),
    reference: typical(peer, ({ perSecond }) => perSecond),
    details: {
      'ours, latency': latencyOf(ours),
      'by hand, latency': latencyOf(peer),
      'by hand, more than ours': 'a row in an outbox for every event; ours writes one where an event closes a campaign',
      verified: 'every answered event is in the database exactly once, in both',
    },
  };
}

function latencyOf(contestant: Contestant): string {
  const p50 = typical(contestant, ({ p50 }) => p50).toFixed(1);
  const p99 = typical(contestant, ({ p99 }) => p99).toFixed(1);
  return `p50 ${p50} ms, p99 ${p99} ms with ${contestant.connections} connections`;
}

function typical({ reports }: Contestant, figure: (report: LoadReport) => number): number {
  return median(reports.map(figure));
}
