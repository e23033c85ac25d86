import type { Ledger, LotPart, PointBalance, PointEntry } from '../../../../../src/loyalty/ledger.ts';
import type { ClosedLot } from '../../../../../src/loyalty/loyalty.queries.ts';
import { pointBalanceTable } from '../../../../../src/loyalty/point-balance.entity.ts';
import { pointEntryTable } from '../../../../../src/loyalty/point-entry.entity.ts';
import { pointLotTable } from '../../../../../src/loyalty/point-lot.entity.ts';
import type { Amount } from '../../../../../src/kernel/amount.ts';
import type { UnitOfWork } from '../../../../../src/persistence/database.ts';
import { type Row, storeOf } from '../../store.ts';
import { insertInto } from '../persistence/insert-into.ts';

const balanceKey = { conflict: { key: ['accountId'], do: 'update' } };
const insertEntries = insertInto(pointEntryTable);
const insertLots = insertInto(pointLotTable);
const saveBalances = insertInto(pointBalanceTable, balanceKey);

/** Microseconds are kept as they are. */
export async function writeLedger(uow: UnitOfWork, { entries, lots, balances }: Ledger): Promise<void> {
  await insertEntries(uow, entries);
  await insertLots(
    uow,
    lots.map((lot) => ({ ...lot, remaining: lot.amount })),
  );
  await saveBalances(uow, [...balances.values()]);
}

export async function loadBalances(uow: UnitOfWork, accountIds: readonly string[]): Promise<Map<string, PointBalance>> {
  const rows = storeOf(uow)
    .rows('point_balance')
    .filter(({ accountId }) => accountIds.includes(accountId as string));
  return new Map(
    rows.map(({ nextExpiresAt, lastEntryAt, ...row }) => {
      const balance = { ...row, nextExpiresAt: nextExpiresAt ?? undefined, lastEntryAt: lastEntryAt ?? undefined };
      return [row['accountId'] as string, balance as unknown as PointBalance];
    }),
  );
}

/** The lots with remaining points, in the order of their expiry. */
function openLots(uow: UnitOfWork, accountIds: readonly string[]): Row[] {
  const until = ({ expiresAt }: Row) => (expiresAt as Date | null)?.getTime() ?? Infinity;
  return storeOf(uow)
    .rows('point_lot')
    .filter(({ accountId, remaining }) => remaining > 0n && accountIds.includes(accountId as string))
    .toSorted((a, b) => (until(a) === until(b) ? (a['id'] < b['id'] ? -1 : 1) : until(a) < until(b) ? -1 : 1));
}

export async function closeDueLots(uow: UnitOfWork, accountIds: readonly string[], now: Date): Promise<ClosedLot[]> {
  const due = openLots(uow, accountIds).filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now);
  for (const { id } of due) storeOf(uow).change('point_lot', id as string, { remaining: 0n });
  return due.map(({ id, accountId, remaining, expiresAt }) => ({ id, accountId, remaining, expiresAt }));
}

export async function nextExpirations(
  uow: UnitOfWork,
  accountIds: readonly string[],
): Promise<Map<string, { at: Date; amount: Amount }>> {
  const next = new Map<string, { at: Date; amount: Amount }>();
  for (const { accountId, expiresAt, remaining } of openLots(uow, accountIds)) {
    if (expiresAt === null) continue;
    const known = next.get(accountId as string);
    if (known === undefined) next.set(accountId as string, { at: expiresAt as Date, amount: remaining as Amount });
    else if (known.at.getTime() === (expiresAt as Date).getTime()) known.amount += remaining as Amount;
  }
  return next;
}

export async function drawLots(uow: UnitOfWork, amounts: ReadonlyMap<string, Amount>): Promise<Map<string, LotPart[]>> {
  const drawn = new Map<string, LotPart[]>();
  for (const [accountId, amount] of amounts) {
    let missing = amount;
    for (const { id, remaining, expiresAt } of openLots(uow, [accountId])) {
      const taken = remaining < missing ? (remaining as Amount) : missing;
      if (taken === 0n) break;
      missing -= taken;
      storeOf(uow).change('point_lot', id as string, { remaining: remaining - taken });
      drawn.set(accountId, [...(drawn.get(accountId) ?? []), { amount: taken, expiresAt: expiresAt ?? undefined }]);
    }
  }
  return drawn;
}

export async function entriesBefore(
  uow: UnitOfWork,
  accountId: string,
  limit: number,
  before = Infinity,
): Promise<PointEntry[]> {
  return storeOf(uow)
    .rows('point_entry')
    .filter((row) => row['accountId'] === accountId && row['createdAt'] < before)
    .toSorted((a, b) => b['createdAt'] - a['createdAt'])
    .slice(0, limit)
    .map((row): PointEntry => ({
      id: row['id'],
      accountId: row['accountId'],
      type: row['type'],
      amount: row['amount'],
      balanceAfter: row['balanceAfter'],
      sourceType: row['sourceType'] ?? '',
      sourceId: row['sourceId'] ?? undefined,
      operationId: row['operationId'] ?? undefined,
      reason: row['reason'] ?? undefined,
      earned: row['earned'] || undefined,
      createdAt: row['createdAt'],
    }));
}
