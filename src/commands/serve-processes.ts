import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createLogger } from '../logger.ts';
import { openServiceDatabase } from './open-service-database.ts';
import { serviceChecks } from './service-checks.ts';
import { untilStopped } from './until-stopped.ts';

/** Milliseconds before a process that ended by itself is replaced, so that one that cannot start does not spin. */
const RESTART_DELAY = 1_000;

/**
 * `laurel serve --processes N`: N processes that serve one port and one database. This process serves nothing itself: it
 * migrates, starts the others, replaces one that dies, and stops them all. Every invariant holds across processes, because
 * they meet in the database alone.
 */
export async function serveProcesses(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  const database = await openServiceDatabase(config, logger, { checks: await serviceChecks(config) });
  const shared = { DATABASE_URL: database.url, LAUREL_MIGRATE: 'false', LAUREL_PROCESSES: '1' };
  // Without this process's own switches: `--processes` again would never end.
  cluster.setupPrimary({ args: ['serve'] });
  let stopping = false;

  function start(place: number): void {
    const isFirst = place === 0;
    // One process is enough to tidy up, and two would provision the demo twice.
    const own = {
      LAUREL_DEMO: String(config.demo && isFirst),
      LAUREL_HOUSEKEEPING: String(config.housekeeping && isFirst),
    };
    const worker = cluster.fork({ ...shared, ...own });
    worker.once('exit', (code, signal) => {
      if (stopping) return;
      logger.error({ pid: worker.process.pid, code, signal }, 'a process ended and is replaced');
      setTimeout(() => !stopping && start(place), RESTART_DELAY);
    });
  }

  for (let place = 0; place < config.processes; place += 1) start(place);
  await untilStopped(logger);
  stopping = true;
  await stopAll(Object.values(cluster.workers ?? {}), logger);
  await database.close();
  logger.info('stopped');
}

/** Each process answers what it has accepted before it ends. */
async function stopAll(workers: readonly (Worker | undefined)[], logger: Logger): Promise<void> {
  await Promise.all(
    workers.map(async (worker) => {
      if (!worker || worker.isDead()) return;
      const ended = once(worker, 'exit');
      worker.process.kill('SIGTERM');
      await ended;
      logger.debug({ pid: worker.process.pid }, 'a process has stopped');
    }),
  );
}
