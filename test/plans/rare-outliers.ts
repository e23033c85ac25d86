import { outlierThreshold } from '../../src/clients/outlier-threshold.ts';
import { eventsByAccount } from '../../src/journal/events-by-account.ts';
import { newId } from '../../src/kernel/ids.ts';
import { pointsByAccount } from '../../src/loyalty/points-by-account.ts';
import {
  deleteOutliers,
  lastMeasured,
  outliersAfter,
  saveMeasured,
  saveOutliers,
} from '../../src/outliers/outliers.queries.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';

/** Sends the statements of accounts far above the usual, for a client that compares none. */
export async function sendOutliers(db: Database, clientId: string): Promise<void> {
  const now = new Date();
  const minute = { from: new Date(now.getTime() - 60_000), until: now };
  const outlier = { accountId: newId(), observed: 500, usual: 3 };
  const work: readonly ((uow: UnitOfWork) => Promise<unknown>)[] = [
    outlierThreshold,
    lastMeasured,
    (uow) => eventsByAccount(uow, minute),
    (uow) => pointsByAccount(uow, minute),
    (uow) => saveMeasured(uow, now),
    (uow) => saveOutliers(uow, { measure: 'EVENTS', hour: now, outliers: [outlier] }),
    (uow) => outliersAfter(uow, { measure: 'EVENTS', after: new Date(0), limit: 1 }),
    (uow) => deleteOutliers(uow, now),
  ];
  for (const send of work) await db.unitOfWork(clientId, send);
}
