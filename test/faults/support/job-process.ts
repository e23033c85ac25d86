// A process that runs one job of a client, as housekeeping does: `node job-process.ts <database> <client> <job>`. A test kills or freezes it.
// If it loses a transaction, it tries again as the next round of housekeeping would.
import { setTimeout as sleep } from 'node:timers/promises';
import { entities } from '../../../src/app/entities.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { reviewStreaks } from '../../../src/campaigns/streak-risks/review-streaks.ts';
import { closeRuns } from '../../../src/leaderboards/runs/close-runs.ts';
import { type Database, openDatabase } from '../../../src/persistence/database.ts';
import { completeReachedTargets } from '../../../src/triggers/complete-reached.ts';
import { countPastEvents } from '../../../src/triggers/count-past-events.ts';

const catalogs = createCatalogs();

/** The jobs by the names of `scheduledJobs`. */
const jobs = {
  'close leaderboards': closeRuns,
  'announce streaks at risk': (database, id, now) => reviewStreaks(database, id, now, catalogs),
  'count past events': (database, id, now) => countPastEvents(database, id, now, catalogs),
  'complete lowered missions': (database, id, now) => completeReachedTargets(database, id, now, catalogs),
} satisfies Record<string, (database: Database, id: string, now: Date) => Promise<unknown>>;

export type JobName = keyof typeof jobs;

const [url = '', clientId = '', name = ''] = process.argv.slice(2);
const db = await openDatabase({ url, entities, poolMax: 1, idleTimeoutMs: 1_000 });
process.stdout.write('It begins.\n');
for (let isDone = false; !isDone;) {
  isDone = await jobs[name as JobName](db, clientId, new Date()).then(
    () => true,
    () => false,
  );
  if (!isDone) await sleep(100);
}
await db.close();
