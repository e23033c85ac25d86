import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { Config } from '../../app/config.ts';
import { collectMetrics } from './collect-metrics.ts';
import { openServiceDatabase } from '../database/open-service-database.ts';
import { serviceChecks } from './service-checks.ts';
import { waitForSignal } from './wait-for-signal.ts';

/** Milliseconds before a dead process is replaced, doubled after each short-lived one. */
const RESTART_DELAY = { min: 1_000, max: 60_000 } as const;

/** Milliseconds of serving after which the delay of a restart is the shortest again. */
const LONG_LIVED = 60_000;

/**
 * `laurel serve --processes N`: N processes that serve one port and one database. This process serves no requests: it migrates, starts the
 * others, replaces dead ones, and stops them all. Every invariant holds across processes, because they share only the database.
 * @throws Error if a process ends before any has served: its replacements would fail for the same reason, such as a taken port
 */
export async function serveProcesses(config: Config, logger: Logger): Promise<void> {
  const database = await openServiceDatabase(config, logger, { checks: await serviceChecks(config) });
  const shared = { DATABASE_URL: database.url, LAUREL_MIGRATE: 'false', LAUREL_PROCESSES: '1' };
  // This process's own switches are left out: with `--processes` each child would start further children.
  cluster.setupPrimary({ args: ['serve'] });
  const metrics = collectMetrics(logger);
  // Serves the shared limiters of the processes; see shared-limiter.ts.
  void new RateLimiterClusterMaster();
  let stopping = false;
  let hasServed = false;
  const failed = Promise.withResolvers<never>();

  function start(index: number, shortLives = 0): void {
    const isFirst = index === 0;
    // One process is enough for housekeeping, and two would provision the demo twice.
    const own = {
      LAUREL_DEMO: String(config.demo && isFirst),
      LAUREL_HOUSEKEEPING: String(config.housekeeping && isFirst),
      LAUREL_BACKLOG_METRICS: String(config.watchBacklog && isFirst),
    };
    const begun = performance.now();
    const worker = cluster.fork({ ...shared, ...own });
    // A message to a dead process is lost; without a listener the `error` event would end this process.
    worker.on('error', (error) => logger.warn({ err: error, pid: worker.process.pid }, 'a process was not reached'));
    worker.once('listening', () => (hasServed = true));
    worker.once('exit', (code, signal) => {
      if (stopping) return;
      if (!hasServed) {
        failed.reject(new Error(`Nothing is served: a process ended with ${signal ?? code} before it could start.`));
        return;
      }
      const lives = performance.now() - begun < LONG_LIVED ? shortLives : 0;
      const inMs = Math.min(RESTART_DELAY.max, RESTART_DELAY.min * 2 ** lives);
      logger.error({ pid: worker.process.pid, code, signal, inMs }, 'a process ended and is replaced');
      setTimeout(() => !stopping && start(index, lives + 1), inMs);
    });
  }

  for (let index = 0; index < config.processes; index += 1) start(index);
  try {
    await Promise.race([waitForSignal(logger), failed.promise]);
  } finally {
    stopping = true;
    await stopAll(Object.values(cluster.workers ?? {}), logger);
    metrics.stop();
    await database.close();
  }
  logger.info('stopped');
}

/** Each process answers its accepted requests before it ends. */
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
