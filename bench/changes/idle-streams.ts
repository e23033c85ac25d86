import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { entities } from '../../src/app/entities.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { measuredTogether } from '../measured-together.ts';
import { migratedDatabase } from '../support/migrated-database.ts';
import { processMetrics } from '../support/process-metrics.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { createTenant } from '../support/tenant.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import { openStream } from './open-stream.ts';

/** Streams on one process, and those of each account. */
const STREAMS = 10_000;
const OF_ACCOUNT = 5;

/** The aims of the issue: MiB more, and percent of a core. */
const MEMORY_MAX = 600;
const PROCESSOR_MAX = 5;

/** Streams that are opened at once. */
const AT_ONCE = 50;

const MIB = 2 ** 20;

export default measuredTogether(
  'streams',
  {
    memory: {
      about: `MiB more of a process with 10,000 idle streams of accounts, against ${MEMORY_MAX}.`,
      aim: 1,
      lessIsBetter: true,
    },
    processor: {
      about: `Percent of a core for 10,000 idle streams of accounts, against ${PROCESSOR_MAX}.`,
      aim: 1,
      lessIsBetter: true,
    },
  },
  ({ seconds }) => withWorkbench('streams', (workbench) => measure(workbench, seconds)),
);

async function measure(workbench: Workbench, seconds: number) {
  const databaseUrl = await migratedDatabase(workbench.databaseUrl, 'streams');
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2 });
  workbench.cleanUps.push(() => db.close());
  const { clientId, apiKey } = await createTenant(db);
  const accounts = Array.from({ length: STREAMS / OF_ACCOUNT }, newId);
  await db.unitOfWork(clientId, async (uow) => {
    await uow.query('insert into account (client_id, id) select $1, id from unnest($2::uuid[]) as a(id)', [
      clientId,
      accounts,
    ]);
    await uow.query('insert into change_feed (client_id, keep_days) values ($1, 30)', [clientId]);
  });
  const service = await startServiceProcess(workbench, { name: 'streams', databaseUrl });
  const open = (id: string) => openStream(service.port, id, apiKey);
  // Warm, so that what the first streams load is not counted.
  for (const id of accounts.slice(0, 20)) (await open(id)).destroy();
  await sleep(2_000);
  const before = await processMetrics(service.baseUrl);
  const sockets: Socket[] = [];
  for (let at = 0; at < STREAMS; at += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, index) => accounts[(at + index) % accounts.length]!);
    sockets.push(...(await Promise.all(ids.map(open))));
  }
  await sleep(35_000);
  const begun = performance.now();
  const idle = await processMetrics(service.baseUrl);
  await sleep(Math.max(60, seconds) * 1_000);
  const after = await processMetrics(service.baseUrl);
  const took = (performance.now() - begun) / 1_000;
  const lost = sockets.filter(({ destroyed }) => destroyed).length;
  if (lost > 0) throw new Error(`${lost} streams were lost.`);
  for (const socket of sockets) socket.destroy();
  const details = { streams: `${STREAMS} over HTTP/1.1, each with a heartbeat every 30 s` };
  const processor = (100 * (after.processorSeconds - idle.processorSeconds)) / took;
  return {
    memory: { unit: 'MiB', ours: (after.memory - before.memory) / MIB, reference: MEMORY_MAX, details },
    processor: { unit: '% of a core', ours: processor, reference: PROCESSOR_MAX, details },
  };
}
