import { DAY } from '../../kernel/time/timestamp.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { REVERSIBLE_DAYS } from '../events/reverse-import.ts';
import { deleteLeftEvents, deleteOldEntries } from '../events/staged-events.queries.ts';
import { failAbandonedUploads, importsToEmpty } from './jobs.queries.ts';
import { deleteOldRefusals } from '../refusals.queries.ts';
import { deleteFile } from '../staged-files.queries.ts';

/** Milliseconds without a byte after which an upload counts as abandoned. */
const UPLOAD_MS = 86_400_000;

/** Milliseconds for which refused rows are kept. */
const REFUSALS_MS = 30 * 86_400_000;

/** Rows per deleting transaction. */
const BATCH = 5_000;

/** Ends abandoned uploads and deletes data of ended imports, in small transactions. Returns the number of deleted things. */
export async function cleanUpImports(db: Database, clientId: string, now: Date): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  let count = await db.unitOfWork(clientId, (uow) => failAbandonedUploads(uow, before(UPLOAD_MS), now));
  for (const importId of await db.unitOfWork(clientId, importsToEmpty))
    count += await deleteFile(db, clientId, importId);
  const old = [
    (uow: UnitOfWork) => deleteOldRefusals(uow, before(REFUSALS_MS), BATCH),
    (uow: UnitOfWork) => deleteLeftEvents(uow, BATCH),
    (uow: UnitOfWork) => deleteOldEntries(uow, before(REVERSIBLE_DAYS * DAY), BATCH),
  ];
  for (const deleteSome of old) {
    for (let deleted = BATCH; deleted === BATCH; count += deleted) deleted = await db.unitOfWork(clientId, deleteSome);
  }
  return count;
}
