import { parentPort, workerData } from 'node:worker_threads';
import type { ImportThreadSettings } from '../commands/serving/start-import-thread.ts';
import { createCatalogs } from '../campaigns/catalog/catalog.ts';
import { entities } from './entities.ts';
import { createImportWorker } from '../imports/worker/import-worker.ts';
import type { FromImportThread, ToImportThread } from '../imports/worker/threaded-import-worker.ts';
import { setTimestampClock } from '../kernel/time/clock.ts';
import { createLogger } from './logger.ts';
import { openClockWatch } from '../housekeeping/clock/clock-watch.ts';
import { openDatabaseClock } from '../persistence/watches/database-clock.ts';
import { feedChanges } from './record-changes.ts';
import { openDatabase } from '../persistence/database.ts';
import { createActivityCounters } from '../activity/activity-counters.ts';

/** Connections of this thread: two files at once, each of which applies rows and reads ahead, and one search for further imports. */
const POOL_MAX = 5;

const port = parentPort!;
const settings = workerData as ImportThreadSettings;
const logger = createLogger(settings.logLevel);
const db = await openDatabase({ ...settings, url: settings.databaseUrl, entities, poolMax: POOL_MAX, logger });
feedChanges(db);
const clock = await openDatabaseClock({ db, logger });
setTimestampClock(clock.now);
const clockWatch = await openClockWatch({ db, logger });
const activityCounters = createActivityCounters({ db, clock: clock.now, logger });
const ending = Promise.withResolvers<void>();
const deliveredTo = (clientId: string) => port.postMessage({ deliveredTo: clientId } satisfies FromImportThread);
const worker = createImportWorker({
  db,
  dispatcher: { wake: deliveredTo },
  clock: clock.now,
  logger,
  catalogs: createCatalogs(),
  journal: settings.journal,
  onIdle: ending.resolve,
});
port.on('message', (message: ToImportThread) => (message === 'stop' ? ending.resolve() : worker.wake()));
activityCounters.start();
worker.start();
await ending.promise;
await worker.stop();
await activityCounters.stop();
await clockWatch.stop();
await clock.stop();
await db.close();
logger.flush();
port.close();
