// A process that closes the runs of a client which are due, as housekeeping does: `node close-process.ts <database> <client>`. A test kills or
// freezes it. If it loses a transaction, it tries again as the next round of housekeeping would.
import { setTimeout as sleep } from 'node:timers/promises';
import { entities } from '../../../src/app/entities.ts';
import { closeRuns } from '../../../src/leaderboards/runs/close-runs.ts';
import { openDatabase } from '../../../src/persistence/database.ts';

const [url = '', clientId = ''] = process.argv.slice(2);
const db = await openDatabase({ url, entities, poolMax: 1, idleTimeoutMs: 1_000 });
process.stdout.write('It closes.\n');
for (let isDone = false; !isDone;) {
  isDone = await closeRuns(db, clientId, new Date()).then(
    () => true,
    () => false,
  );
  if (!isDone) await sleep(100);
}
await db.close();
