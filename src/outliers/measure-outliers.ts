import { indexAccounts } from '../accounts/account-index.ts';
import { selectAccounts } from '../accounts/accounts.queries.ts';
import { outlierThreshold } from '../clients/outlier-threshold.ts';
import { eventsByAccount } from '../journal/events-by-account.ts';
import { DAY, MINUTE } from '../kernel/time/timestamp.ts';
import { pointsByAccount } from '../loyalty/points-by-account.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { type Measure, MEASURES, type Outlier, outliersAmong } from './outlier-rule.ts';
import { clientsToMeasure, deleteOutliers, lastMeasured, saveMeasured, saveOutliers } from './outliers.queries.ts';

const HOUR = 60 * MINUTE;

/** Milliseconds after the end of an hour until which a transaction may still commit events of it. */
const LATE_MS = 2 * MINUTE;

/** The time that one transaction reads. */
const STEP_MS = MINUTE;

/** The most accounts of an hour that are compared, those with the first events: about 50 MB of memory. */
const ACCOUNTS_MAX = 500_000;

type Span = { readonly from: Date; readonly until: Date };

/**
 * A scheduled job that compares the accounts of the last full hour and stores the outliers. It reads a minute in each transaction, once an
 * hour, and stores everything at the end, so that it may be stopped at any point. Hours in which no process ran are left out.
 * @returns the number of outliers
 */
export async function measureOutliers(db: Database, clientId: string, now: Date): Promise<number> {
  const hour = lastFullHour(now);
  const due = await db.unitOfWork(clientId, async (uow) => {
    await deleteOutliers(uow, expiredAt(now));
    const last = await lastMeasured(uow);
    return last !== undefined && last >= hour ? 0 : outlierThreshold(uow);
  });
  if (due === 0) return 0;
  const [events, points] = [new Map<string, number>(), new Map<string, number>()];
  for (let at = hour.getTime(); at < hour.getTime() + HOUR; at += STEP_MS) {
    const span: Span = { from: new Date(at), until: new Date(at + STEP_MS) };
    await db.unitOfWork(clientId, async (uow) => {
      add(events, await eventsByAccount(uow, span));
      add(points, await pointsByAccount(uow, span));
    });
  }
  return db.unitOfWork(clientId, async (uow) => {
    // An administrator may have switched it off meanwhile.
    const threshold = await outlierThreshold(uow);
    if (threshold === 0) return 0;
    const found = { EVENTS: outliersAmong(events, threshold), POINTS: outliersAmong(points, threshold) };
    await saveFound(uow, hour, found);
    await saveMeasured(uow, hour);
    return found.EVENTS.length + found.POINTS.length;
  });
}

/** The clients with an hour to compare or with expired outliers, in a system unit of work. */
export function clientsWithOutliers(uow: UnitOfWork, now: Date): Promise<string[]> {
  return clientsToMeasure(uow, lastFullHour(now), expiredAt(now));
}

/** Outliers of this hour and before need no attention any more. */
export function expiredAt(now: Date): Date {
  return new Date(now.getTime() - DAY - HOUR);
}

function lastFullHour(now: Date): Date {
  return new Date((Math.floor((now.getTime() - LATE_MS) / HOUR) - 1) * HOUR);
}

function add(
  sums: Map<string, number>,
  more: readonly { readonly accountId: string; readonly amount: number }[],
): void {
  for (const { accountId, amount } of more) {
    const before = sums.get(accountId);
    if (before !== undefined || sums.size < ACCOUNTS_MAX) sums.set(accountId, (before ?? 0) + amount);
  }
}

/** Stores the outliers whose accounts exist, under the account into which they were merged since. */
async function saveFound(
  uow: UnitOfWork,
  hour: Date,
  found: Readonly<Record<Measure, readonly Outlier[]>>,
): Promise<void> {
  const ids = [...new Set([...found.EVENTS, ...found.POINTS].map(({ accountId }) => accountId))];
  if (ids.length === 0) return;
  // The lock keeps an erasure away, which would leave the row behind.
  const accounts = await selectAccounts(uow, { ids, externalIds: [] }, 'presence');
  const { find } = indexAccounts(accounts);
  for (const measure of MEASURES) {
    const byAccount = new Map<string, Outlier>();
    for (const outlier of found[measure].toReversed()) {
      const accountId = find({ id: outlier.accountId })?.id;
      if (accountId !== undefined) byAccount.set(accountId, { ...outlier, accountId });
    }
    await saveOutliers(uow, { measure, hour, outliers: [...byAccount.values()] });
  }
}
