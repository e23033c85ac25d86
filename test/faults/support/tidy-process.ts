import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { entities } from '../../../src/app/entities.ts';
import { openClockWatch } from '../../../src/housekeeping/clock/clock-watch.ts';
import { createHousekeeping } from '../../../src/housekeeping/housekeeping.ts';
import { scheduledJobs } from '../../../src/housekeeping/scheduled-jobs.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { openDatabase } from '../../../src/persistence/database.ts';
import { openDatabaseClock } from '../../../src/persistence/watches/database-clock.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { partsOfAccount } from '../../../src/app/parts-of-account.ts';

// Housekeeping as in `laurel serve`, each job again and again: clock-set.test.ts starts it with changed clocks. It prints a line after each
// round of every job.

const db = await openDatabase({ url: process.env['DATABASE_URL']!, entities, poolMax: 5 });
const logger = pino({ level: 'error' }, process.stderr);
const clock = await openDatabaseClock({ db, logger });
const watch = await openClockWatch({ db, logger });
const jobs = scheduledJobs(
  { operationDays: 30, deliveryDays: 7, auditDays: 400, journalDays: 7 },
  {
    dispatcher: { wake() {} },
    parts: partsOfAccount,
    catalogs: createCatalogs(),
    secrets: createSecretBox([Buffer.alloc(32, 1)]),
    alerts: { check: () => Promise.resolve(0) },
  },
);
const rounds = new Map<string, number>();
createHousekeeping({
  db,
  jobs: jobs.map((job) => ({ ...job, everyMs: 20 })),
  clock: clock.now,
  trustedNow: process.env['TRUST_ANY_CLOCK'] ? undefined : watch.trustedNow,
  logger,
  observe: ({ name }) => void rounds.set(name, (rounds.get(name) ?? 0) + 1),
}).start();
for (;;) {
  const least = Math.min(...jobs.map(({ name }) => rounds.get(name) ?? 0));
  process.stdout.write(`${JSON.stringify({ least, reason: watch.doubt()?.reason ?? null })}\n`);
  await sleep(50);
}
