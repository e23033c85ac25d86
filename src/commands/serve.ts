import type { Logger } from 'pino';
import { type App, startApp } from '../app.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../logger.ts';
import { announceDemo, provisionDemo } from './demo.ts';
import { openSecretBox } from './open-secret-box.ts';
import { openServiceDatabase } from './open-service-database.ts';

/** `laurel serve`: runs the service until SIGTERM or SIGINT, then answers what it has accepted and ends. */
export async function serve(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  const database = await openServiceDatabase(config, logger);
  const app = await startApp({
    db: database.db,
    secrets: await openSecretBox(config),
    logger,
    clock: systemClock,
    host: config.host,
    port: config.port,
    laneCount: config.laneCount,
    asyncAttempts: config.asyncAttempts,
    webhookAllowPrivate: config.webhookAllowPrivate,
    corsOrigins: config.corsOrigins,
  });
  logger.info({ port: app.port }, 'laurel serves');
  if (config.demo) announceDemo(await provisionDemo(database.db, app.operations, config, app.port));
  await untilStopped(logger);
  await stop(app, database, logger);
}

/** Resolves at the first signal. A second one ends the process at once, for an operator who will not wait. */
function untilStopped(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      logger.info({ signal }, 'stopping: no new requests, finishing those that run');
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.off(name, onSignal);
      resolve();
    };
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, onSignal);
  });
}

async function stop(app: App, database: { close(): Promise<void> }, logger: Logger): Promise<void> {
  await app.close();
  await database.close();
  logger.info('stopped');
}
