import cluster from 'node:cluster';
import { startApp } from '../app.ts';
import type { Config } from '../config.ts';
import { createThreadedImportWorker } from '../imports/threaded-import-worker.ts';
import { createLogger } from '../logger.ts';
import { inspect } from '../persistence/checks/inspect.ts';
import { openDatabaseClock } from '../persistence/database-clock.ts';
import { watchDatabase } from '../persistence/database-watch.ts';
import { announceDemo, provisionDemo } from './demo.ts';
import { openSecretBox } from './open-secret-box.ts';
import { openServiceDatabase } from './open-service-database.ts';
import { serveProcesses } from './serve-processes.ts';
import { serviceChecks } from './service-checks.ts';
import { startImportThread } from './start-import-thread.ts';
import { untilStopped } from './until-stopped.ts';

/** `laurel serve`: runs the service until SIGTERM or SIGINT, then answers what it has accepted and ends. */
export async function serve(config: Config): Promise<void> {
  if (config.processes > 1) return serveProcesses(config);
  const logger = createLogger(config.logLevel);
  // One of several processes has been checked with them; the newer release that migrates while they run is none of its faults.
  const when = cluster.isWorker ? 'running' : 'start';
  const checks = await serviceChecks(config);
  const database = await openServiceDatabase(config, logger, { checks, when });
  const secrets = await openSecretBox(config);
  // The key may be new by now.
  const checksOfService = await serviceChecks(config);
  const watch = watchDatabase({ inspect: () => inspect(database.url, checksOfService), logger });
  database.db.onFailed(watch.heed);
  const clock = await openDatabaseClock({ db: database.db, logger });
  const { preparedStatements, logLevel } = config;
  const startThread = () => startImportThread({ databaseUrl: database.url, preparedStatements, logLevel });
  const app = await startApp({
    db: database.db,
    secrets,
    databaseWatch: watch,
    logger,
    clock: clock.now,
    clockSkew: clock,
    host: config.host,
    port: config.port,
    laneCount: config.laneCount,
    asyncAttempts: config.asyncAttempts,
    webhookAllowPrivate: config.webhookAllowPrivate,
    webhookRequireTls: config.webhookRequireTls,
    oidc: config.oidc,
    importWorker: (machinery) => createThreadedImportWorker({ ...machinery, startThread }),
    corsOrigins: config.corsOrigins,
    rateLimit: config.rateLimit,
    unknownCredentialsPerMinute: config.unknownCredentialsPerMinute,
    trustForwarded: config.trustForwarded,
    insecureCookies: config.insecureCookies,
    metricsToken: config.metricsToken,
    drainDelayMs: config.drainDelayMs,
    housekeeping: config.housekeeping
      ? {
          operationDays: config.operationRetentionDays,
          deliveryDays: config.deliveryRetentionDays,
          auditDays: config.auditRetentionDays,
        }
      : undefined,
  });
  logger.info({ port: app.port }, 'laurel serves');
  if (config.demo) announceDemo(await provisionDemo(database.db, app.operations, config, app.port), config);
  const signal = await untilStopped(logger);
  watch.stop();
  await app.close({ atOnce: signal === 'SIGINT' });
  await clock.stop();
  await database.close();
  logger.info('stopped');
}
