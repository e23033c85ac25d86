import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterOf, createDistributed, dropDistributed } from '../../test/support/citus.ts';
import { createDatabase, dropDatabase } from '../../test/support/databases.ts';
import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { inTurns } from '../support/in-turns.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { EVENTS_PER_BATCH } from '../triggers/batch-requests.ts';
import { type LoadKind, type Measured, type Service, startService } from '../triggers/service.ts';

/** The setting with the coordinator of a Citus, as in `npm run test:distributed`. */
const CLUSTER = 'CITUS_URL';

const DATABASE = 'laurel_bench';

/** Shards of each table. */
const SHARDS = 8;

/** Seconds until the code is hot. */
const WARM_UP = 6;

const WAYS = {
  rest: { sent: 'over REST', kind: { source: import.meta.resolve('../triggers/requests.ts'), events: 1 } },
  batch: {
    sent: `${EVENTS_PER_BATCH} in each REST request`,
    kind: { source: import.meta.resolve('../triggers/batch-requests.ts'), events: EVENTS_PER_BATCH },
  },
} satisfies Record<string, { readonly sent: string; readonly kind: LoadKind }>;

/** Requests in flight. */
const CONNECTIONS = { rest: 128, batch: 4 };

type Way = keyof typeof WAYS;

export default (Object.keys(WAYS) as Way[]).map((way): Benchmark => ({
  name: `distributed:${way}`,
  about: `Events of one client applied per second, ${WAYS[way].sent}, on the Citus at ${CLUSTER}, against one of its nodes as a plain PostgreSQL.`,
  aim: 0.4,
  rounds: 5,
  needs: CLUSTER,
  run: (settings) => measure(way, settings),
}));

async function measure(way: Way, settings: Settings): Promise<Result> {
  const url = process.env[CLUSTER];
  if (!url) throw new Error(`Set ${CLUSTER} to the coordinator of a Citus: docs/scale-out.md.`);
  const cluster = await clusterOf(url);
  const [node = ''] = cluster.nodeUrls;
  const plainName = `${DATABASE}_plain`;
  const cleanUps: (() => Promise<void>)[] = [];
  try {
    const distributed = await createDistributed(cluster, DATABASE, SHARDS);
    cleanUps.push(() => dropDistributed(cluster, distributed));
    const plain = await createDatabase(node, plainName);
    cleanUps.push(() => dropDatabase(node, plain));
    const started = async (name: string, databaseUrl: string) => {
      const folder = join(tmpdir(), `laurel-bench-${name}-${process.pid}`);
      await mkdir(folder);
      cleanUps.push(() => rm(folder, { recursive: true, force: true }));
      return startService({ folder, databaseUrl, cleanUps });
    };
    const services = { ours: await started('distributed', distributed), reference: await started('plain', plain) };
    const ours = await measureOf(services.ours, way);
    const reference = await measureOf(services.reference, way);
    for (const warmUp of [reference, ours]) await warmUp(WARM_UP);
    const turns = await inTurns(settings, reference, ours);
    for (const service of Object.values(services)) await service.verify();
    const rates = (reports: readonly Measured[]) => reports.map(({ perSecond }) => perSecond);
    const typical = (figure: (report: Measured) => number) => median(turns.ours.map(figure));
    return {
      unit: 'events/s',
      ours: median(rates(turns.ours)),
      reference: median(rates(turns.reference)),
      details: {
        'ratio of a round': describeRatios(rates(turns.ours), rates(turns.reference)),
        nodes: `${cluster.nodeUrls.length} and the coordinator, on the machine of the load`,
        'service, processor time': `${Math.round(typical((run) => (run.serviceSeconds / run.answered) * 1e6))} µs per event`,
        verified: 'every answered event is in the database exactly once',
      },
    };
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function measureOf(service: Service, way: Way): Promise<(seconds: number) => Promise<Measured>> {
  const load = await service.load(WAYS[way].kind);
  return (seconds) => load({ connections: CONNECTIONS[way], seconds });
}
