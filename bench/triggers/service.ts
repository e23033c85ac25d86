import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entities } from '../../src/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { executeSql } from '../support/execute-sql.ts';
import { startLoad } from '../support/load.ts';
import type { LoadReport, LoadTask } from '../support/load-protocol.ts';
import { processMetrics, withPeakMemory } from '../support/process-metrics.ts';
import { startServerProcess } from '../support/server-process.ts';
import { createTenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';
import { countEffects, setUpGame } from './game.ts';
import type { TriggerRequestOptions } from './requests.ts';

/** The service in a process of its own, and a load of events for it. */
export type Service = {
  measure(task: LoadTask): Promise<Measured>;
  /** @throws Error unless every event that was ever answered is in the database, once */
  verify(): Promise<void>;
};

/** A measurement of the service. */
export type Measured = LoadReport & {
  /** Bytes at most. */
  readonly memory: number;
  /** Processor time of the service in seconds. */
  readonly serviceSeconds: number;
};

/** Starts the service as `npm start` does, and sets its game up. */
export async function startService({ folder, databaseUrl, cleanUps }: Workbench): Promise<Service> {
  await migrate(databaseUrl);
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2 });
  cleanUps.push(() => db.close());
  const server = await startServerProcess({
    args: [fileURLToPath(new URL('../../src/main.ts', import.meta.url)), 'serve'],
    env: { DATABASE_URL: databaseUrl, PORT: '0', HOST: '127.0.0.1', LAUREL_DATA: folder },
    logFile: join(folder, 'service.log'),
  });
  cleanUps.push(server.stop);
  const { clientId, ...tenant } = await createTenant(db);
  await setUpGame(db, server.baseUrl, { clientId, ...tenant });
  // Not the table of operations: planning for an empty one is what no service in use does.
  await executeSql(databaseUrl, ['vacuum analyze account, assignment']);
  const sourceOptions: TriggerRequestOptions = { apiKey: tenant.apiKey };
  const source = import.meta.resolve('./requests.ts');
  const load = await startLoad({ host: '127.0.0.1', port: server.port, source, sourceOptions });
  cleanUps.push(load.stop);
  let answered = 0;

  return {
    async measure(task) {
      const before = await processMetrics(server.baseUrl);
      const { result, peak } = await withPeakMemory(server.baseUrl, () => load.run(task));
      const after = await processMetrics(server.baseUrl);
      answered += result.answered;
      return { ...result, memory: peak, serviceSeconds: after.processorSeconds - before.processorSeconds };
    },
    async verify() {
      const { progress, operations } = await countEffects(db, clientId);
      if (progress === answered && operations === answered) return;
      throw new Error(
        `${answered} events were answered, but progress is ${progress} and ${operations} operations are stored.`,
      );
    },
  };
}
