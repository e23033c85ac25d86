import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import type * as Migrate from '../../src/persistence/migrate.ts';
import { executeSql } from '../support/execute-sql.ts';
import { type Load, startLoad } from '../support/load.ts';
import type { LoadOptions, LoadReport, LoadTask } from '../support/load-protocol.ts';
import { processMetrics, withPeakMemory } from '../support/process-metrics.ts';
import { startServerProcess } from '../support/server-process.ts';
import { createTenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';
import { countEffects, setUpGame } from './game.ts';
import type { TriggerRequestOptions } from './event-of.ts';

/** The service in a separate process, and loads of events for it. */
export type Service = {
  readonly baseUrl: string;
  /** A key with the role INTEGRATOR. */
  readonly apiKey: string;
  /** A load of another kind. */
  load(kind: LoadKind): Promise<Measure>;
  /** A load of one event in each REST request. */
  readonly measure: Measure;
  /** Resolves when no event waits in the inbox. */
  untilApplied(): Promise<void>;
  /**
   * @throws Error unless every answered event is in the database exactly once
   */
  verify(): Promise<void>;
};

/** The form of the requests. */
export type LoadKind = Pick<LoadOptions, 'protocol' | 'source'> & {
  /** Events in each request. */
  readonly events: number;
  /** Whether the load reads one object instead of sending events. */
  readonly isRead?: boolean;
};

/** Measures events: the counts of the report are events, not requests. */
export type Measure = (task: LoadTask) => Promise<Measured>;

/** A measurement of the service. */
export type Measured = LoadReport & {
  /** The maximum memory in bytes. */
  readonly memory: number;
  /** Processor time of the service in seconds. */
  readonly serviceSeconds: number;
};

/** One event in each REST request. */
const REST: LoadKind = { source: import.meta.resolve('./requests.ts'), events: 1 };

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/**
 * Starts the service as `npm start` does, and sets up its game.
 * @param main the main file of another checkout, for a comparison with this one
 * @param env settings beside the usual ones
 */
export async function startService(
  { folder, databaseUrl, cleanUps }: Workbench,
  {
    main = MAIN,
    env = {},
  }: { readonly main?: string | undefined; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Service> {
  // A release does not serve a database that a later one has migrated.
  const { migrate }: typeof Migrate = await import(join(dirname(main), 'persistence/migrate.ts'));
  await migrate(databaseUrl);
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2 });
  cleanUps.push(() => db.close());
  const server = await startServerProcess({
    args: [main, 'serve'],
    env: { DATABASE_URL: databaseUrl, PORT: '0', HOST: '127.0.0.1', LAUREL_DATA: folder, ...env },
    logFile: join(folder, 'service.log'),
  });
  cleanUps.push(server.stop);
  const { clientId, ...tenant } = await createTenant(db);
  await setUpGame(db, server.baseUrl, { clientId, ...tenant });
  // The table of operations is left out: no service in use plans for an empty table.
  await executeSql(databaseUrl, ['vacuum analyze account, assignment']);
  let answered = 0;

  async function load({ protocol, source, events, isRead = false }: LoadKind): Promise<Measure> {
    const sourceOptions: TriggerRequestOptions = { apiKey: tenant.apiKey };
    const started = await startLoad({ host: '127.0.0.1', port: server.port, protocol, source, sourceOptions });
    cleanUps.push(started.stop);
    return async (task) => {
      const measured = inEvents(await measureLoad(server.baseUrl, started, task), events);
      if (!isRead) answered += measured.answered;
      return measured;
    };
  }

  return {
    baseUrl: server.baseUrl,
    apiKey: tenant.apiKey,
    load,
    measure: await load(REST),
    async untilApplied() {
      const waiting = () => db.systemUnitOfWork((uow) => uow.query('select from trigger_inbox limit 1'));
      while ((await waiting()).length > 0) await sleep(10);
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

async function measureLoad(baseUrl: string, load: Load, task: LoadTask): Promise<Measured> {
  const before = await processMetrics(baseUrl);
  const { result, peak } = await withPeakMemory(baseUrl, () => load.run(task));
  const after = await processMetrics(baseUrl);
  return { ...result, memory: peak, serviceSeconds: after.processorSeconds - before.processorSeconds };
}

function inEvents(measured: Measured, events: number): Measured {
  return { ...measured, answered: measured.answered * events, perSecond: measured.perSecond * events };
}
