// A worker that numbers changes in a separate process: `node numbering-process.ts <database> <client> [hold]`. With `hold` it stops in the
// middle of a transaction that holds the feed, for a test that freezes it there. It exits with 0 if that transaction was lost.
import { pino } from 'pino';
import { entities } from '../../../src/app/entities.ts';
import { numberBatches, selectUnnumbered } from '../../../src/changes/change-batch.queries.ts';
import { setNumber, tryToLockFeed } from '../../../src/changes/change-feed.queries.ts';
import { createNumberingWorker } from '../../../src/changes/numbering-worker.ts';
import { openDatabase } from '../../../src/persistence/database.ts';

const [url = '', clientId = '', hold] = process.argv.slice(2);
const db = await openDatabase({ url, entities, poolMax: 2, idleTimeoutMs: 1_000 });
if (hold === undefined) {
  const worker = createNumberingWorker({ db, logger: pino({ level: 'silent' }) });
  worker.start();
  setInterval(() => worker.wake(clientId), 5);
} else {
  let attempts = 0;
  let lost = false;
  const work = db.unitOfWork(clientId, async (uow) => {
    attempts += 1;
    const first = (await tryToLockFeed(uow))!;
    const waiting = await selectUnnumbered(uow, 500);
    process.stdout.write('It holds the feed.\n');
    await new Promise((resolve) => setTimeout(resolve, 500));
    let number = first;
    await numberBatches(
      uow,
      waiting.map(({ id, changes }) => ({ id, number: (number += changes) })),
    );
    await setNumber(uow, number);
  });
  await work.catch(() => (lost = true));
  await db.close();
  // A repeat begins with what is there by then.
  process.exitCode = lost || attempts > 1 ? 0 : 1;
}
