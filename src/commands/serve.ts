import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { startApp } from '../app/app.ts';
import { type Config, journalingOf } from '../app/config.ts';
import { createThreadedImportWorker } from '../imports/worker/threaded-import-worker.ts';
import { setTimestampClock } from '../kernel/time/clock.ts';
import type { SecretBox } from '../kernel/secrets/secret-box.ts';
import { createLogger } from '../app/logger.ts';
import { inspect } from '../persistence/checks/inspect.ts';
import { type DatabaseClock, openDatabaseClock } from '../persistence/watches/database-clock.ts';
import { type DatabaseWatch, watchDatabase } from '../persistence/watches/database-watch.ts';
import { createOneTimeToken } from '../kernel/secrets/one-time-token.ts';
import { announceDemo, type Demo, provisionDemo } from './demo.ts';
import { openClockWatch, type ClockWatch } from '../housekeeping/clock/clock-watch.ts';
import { openSecretBox } from './open-secret-box.ts';
import { openServiceDatabase, type ServiceDatabase } from './database/open-service-database.ts';
import { serveProcesses } from './serving/serve-processes.ts';
import { serviceChecks } from './serving/service-checks.ts';
import { sharedLimiter } from './serving/shared-limiter.ts';
import { sharedMetrics } from './serving/shared-metrics.ts';
import { startTracing } from './serving/start-tracing.ts';
import { startImportThread } from './serving/start-import-thread.ts';
import { tuneGarbageCollection } from './serving/tune-garbage-collection.ts';
import { waitForSignal } from './serving/wait-for-signal.ts';

/** `laurel serve`: runs the service until SIGTERM, SIGINT or SIGHUP, then answers the accepted requests and ends. */
export async function serve(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  // The parent process warns for all of them.
  if (!cluster.isWorker) warnOfUnknownSettings(config, logger);
  if (config.processes > 1) return serveProcesses(config, logger);
  tuneGarbageCollection();
  // The parent process has passed these checks for one of several processes. A newer release that migrates meanwhile is not this process's
  // fault.
  const when = cluster.isWorker ? 'running' : 'start';
  const checks = await serviceChecks(config);
  const tracing = await startTracing(process.env, logger);
  const database = await openServiceDatabase(config, logger, { checks, when });
  try {
    await serveOn(database, config, logger);
  } finally {
    await database.close();
    await tracing?.stop();
    // Without this, the connection to the parent process would keep this process alive.
    cluster.worker?.disconnect();
  }
  logger.info('stopped');
}

/** Only a warning: the setting may belong to a newer release that was rolled back, or to other software. */
function warnOfUnknownSettings({ unknownSettings }: Config, logger: Logger): void {
  for (const name of unknownSettings) logger.warn({ name }, 'unknown setting: this release ignores it');
}

/** @throws Error if the port is taken, and other errors of the start */
async function serveOn(database: ServiceDatabase, config: Config, logger: Logger): Promise<void> {
  const secrets = await openSecretBox(config);
  // The key may have been created just now.
  const checks = await serviceChecks(config);
  const watch = watchDatabase({ inspect: () => inspect(database.url, checks), logger });
  database.db.onFailed(watch.onFailure);
  const clock = await openDatabaseClock({ db: database.db, logger });
  setTimestampClock(clock.now);
  try {
    const clockWatch = await openClockWatch({ db: database.db, logger, awayMs: database.awayMs });
    try {
      await serveWith({ database, secrets, watch, clock, clockWatch }, config, logger);
    } finally {
      await clockWatch.stop();
    }
  } finally {
    watch.stop();
    await clock.stop();
  }
}

/** The resources to close at the end. */
type Means = {
  readonly database: ServiceDatabase;
  readonly secrets: SecretBox;
  readonly watch: DatabaseWatch;
  readonly clock: DatabaseClock;
  readonly clockWatch: ClockWatch;
};

async function serveWith(
  { database, secrets, watch, clock, clockWatch }: Means,
  config: Config,
  logger: Logger,
): Promise<void> {
  const { preparedStatements, logLevel } = config;
  const journal = journalingOf(config);
  const startThread = () => startImportThread({ databaseUrl: database.url, preparedStatements, logLevel, journal });
  let demo: Demo | undefined;
  const docsWord = createOneTimeToken();
  const app = await startApp({
    db: database.db,
    secrets,
    logger,
    clock: clock.now,
    server: {
      host: config.host,
      port: config.port,
      tls: config.tls,
      corsOrigins: config.corsOrigins,
      trustForwarded: config.trustForwarded,
      rateLimit: config.rateLimit,
      accountRateLimit: config.accountRateLimit,
      publicStreams: config.publicStreams,
      anonymousConnectionsPerSecond: config.anonymousConnectionsPerSecond,
      bodyBudgetBytes: config.bodyBudget * 2 ** 20,
      metricsToken: config.metricsToken,
      demoKey: (word) => (config.offerDemoKey && docsWord.take(word) ? demo?.apiKey : undefined),
      drainDelayMs: config.drainDelayMs,
      logSuccessShare: config.logSuccessShare,
    },
    events: {
      triggerConcurrency: config.triggerConcurrency,
      attemptsMax: config.asyncAttempts,
      definitionsMax: config.catalogDefinitions,
      journal,
    },
    webhooks: {
      allowPrivate: config.webhookAllowPrivate,
      requireTls: config.webhookRequireTls,
      acceptLostSecrets: config.acceptLostSecrets,
    },
    signIn: {
      oidc: config.oidc,
      insecureCookies: config.insecureCookies,
      unknownCredentialsPerMinute: config.unknownCredentialsPerMinute,
    },
    alerts: { smtp: config.smtp, publicUrl: config.publicUrl },
    imports: {
      worker: (machinery) => createThreadedImportWorker({ ...machinery, startThread }),
      quota: config.importQuota,
    },
    metrics: {
      expose: cluster.isWorker ? sharedMetrics(logger) : undefined,
      watchBacklog: config.watchBacklog,
    },
    watches: { database: watch, clock: clockWatch, clockSkew: clock },
    newLimiter: cluster.isWorker ? sharedLimiter : undefined,
    housekeeping: config.housekeeping
      ? {
          operationDays: config.operationRetentionDays,
          deliveryDays: config.deliveryRetentionDays,
          auditDays: config.auditRetentionDays,
          journalDays: config.journalRetentionDays,
        }
      : undefined,
  });
  logger.info({ port: app.port }, 'laurel serves');
  if (config.demo) {
    demo = await provisionDemo(database, app.operations, config, app.port);
    if (demo === undefined) logger.info('the database has clients already: no demo is made here');
    else announceDemo(demo, config, logger, config.offerDemoKey ? docsWord.text : undefined);
  }
  const signal = await waitForSignal(logger);
  await app.close({ atOnce: signal !== 'SIGTERM' });
}
