import { type Amount, amountFromDecimal, amountToDecimal } from '../kernel/amount.ts';
import { limitedKeys, lookUpByKey } from '../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { addToFeed } from '../changes/collect-changes.ts';
import { pointsChanged } from './points-changed.ts';
import type { Ledger, LotPart, PointBalance, PointEntry } from './ledger.ts';
import { type Micros, microsToText } from './micros.ts';
import { pointBalanceTable } from './point-balance.entity.ts';
import { pointEntryTable, type StoredPart } from './point-entry.entity.ts';
import { pointLotTable } from './point-lot.entity.ts';

const BALANCE = columnsOf(pointBalanceTable, [
  'accountId',
  'available',
  'spent',
  'expired',
  'lifetimeEarned',
  'debt',
  'nextExpiresAt',
]);

/** `last_entry_at` is in microseconds, which a `Date` cannot hold. */
type BalanceRow = RowOf<typeof BALANCE> & { readonly last_entry_at: string | null };

/**
 * The balances of these accounts, locked until the transaction ends for `toChange`; an account that never had points has none. The lock on
 * the account protects the first entry, before the row exists. The lock on the row also protects deleted accounts, which cannot be locked
 * but whose points still expire.
 */
export async function loadBalances(
  uow: UnitOfWork,
  accountIds: readonly string[],
  lock?: 'toChange',
): Promise<Map<string, PointBalance>> {
  const rows = await uow.query<BalanceRow>(
    `select b.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: `${BALANCE}, (extract(epoch from last_entry_at) * 1000000)::int8 as last_entry_at`,
      from: 'point_balance',
      key: { account_id: 'wanted.id' },
      lock: lock && 'for no key update',
    })} b`,
    [uow.clientId, [...new Set(accountIds)].toSorted()],
  );
  return new Map(rows.map((row) => [row.account_id, balanceFromRow(row)]));
}

function balanceFromRow(row: BalanceRow): PointBalance {
  return {
    accountId: row.account_id,
    available: amountFromDecimal(row.available),
    spent: amountFromDecimal(row.spent),
    expired: amountFromDecimal(row.expired),
    lifetimeEarned: amountFromDecimal(row.lifetime_earned),
    debt: amountFromDecimal(row.debt),
    nextExpiresAt: row.next_expires_at ?? undefined,
    lastEntryAt: row.last_entry_at === null ? undefined : Number(row.last_entry_at),
  };
}

/** Writes entries, lots and balances of a ledger together. The accounts are locked, so the balances are overwritten. */
export async function writeLedger(uow: UnitOfWork, { entries, lots, balances, drawn }: Ledger): Promise<void> {
  if (balances.size === 0) return;
  addToFeed(uow, () => entries.map(pointsChanged));
  await Promise.all([
    insertEntries(
      uow,
      entries.map((entry) => ({
        ...entry,
        earned: entry.earned,
        reason: entry.reason,
        sourceId: entry.sourceId,
        operationId: entry.operationId,
        drawn: storedParts(drawn.get(entry.id)),
        createdAt: microsToText(entry.createdAt),
      })),
    ),
    insertLots(
      uow,
      lots.map((lot) => ({ ...lot, expiresAt: lot.expiresAt, remaining: lot.amount })),
    ),
    saveBalances(
      uow,
      [...balances.values()].map((balance) => ({
        ...balance,
        lastEntryAt: balance.lastEntryAt === undefined ? null : microsToText(balance.lastEntryAt),
      })),
    ),
  ]);
}

const insertEntries = insertInto(pointEntryTable);
const insertLots = insertInto(pointLotTable);
const saveBalances = insertInto(pointBalanceTable, { conflict: { key: ['accountId'], do: 'update' } });

/** An expired lot with its remaining points at the expiry. */
export type ClosedLot = {
  readonly id: string;
  readonly accountId: string;
  readonly remaining: Amount;
  readonly expiresAt: Date;
};

const LOT = columnsOf(pointLotTable, ['id', 'accountId', 'remaining', 'expiresAt']);

/** A row of an expiring lot. */
type DueLotRow = RowOf<typeof LOT> & { readonly expires_at: Date };

/** SQL for the lots of an account with remaining points. They change only under the account's locks, so their `ctid` is stable. */
function openLots(and: string, accountId = 'wanted.id'): string {
  const key = { account_id: accountId };
  const conditions = `remaining > 0 and ${and}`;
  return lookUpByKey({ select: `${LOT}, ctid as row_ctid`, from: 'point_lot', key, and: conditions, many: true });
}

/** Empties the lots of these locked accounts that have expired by `now`, and returns them in the order of their expiry. */
export async function closeDueLots(uow: UnitOfWork, accountIds: readonly string[], now: Date): Promise<ClosedLot[]> {
  const rows = await uow.query<DueLotRow>(
    `with due as (
       select l.* from unnest($2::uuid[]) as wanted(id) cross join ${openLots('expires_at <= $3')} l
     ), closed as (
       update point_lot l set remaining = 0 from ${limitedKeys('due', 'due', 'array(select id from due)')}
        where l.client_id = $1 and l.ctid = due.row_ctid
     )
     select ${LOT} from due order by expires_at, id`,
    [uow.clientId, accountIds, now],
  );
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    remaining: amountFromDecimal(row.remaining),
    expiresAt: row.expires_at,
  }));
}

/** The next expiry of each account and the points that expire then; only accounts with expiring points. */
export async function nextExpirations(
  uow: UnitOfWork,
  accountIds: readonly string[],
): Promise<Map<string, { at: Date; amount: Amount }>> {
  const rows = await uow.query<{ account_id: string; expires_at: Date; amount: string }>(
    `select distinct on (account_id) account_id, expires_at, sum(remaining) as amount
       from unnest($2::uuid[]) as wanted(id) cross join ${openLots('expires_at is not null')} l
      group by account_id, expires_at
      order by account_id, expires_at`,
    [uow.clientId, [...new Set(accountIds)]],
  );
  return new Map(rows.map((row) => [row.account_id, { at: row.expires_at, amount: amountFromDecimal(row.amount) }]));
}

/** A row of a lot from which points were drawn. */
type DrawnRow = { readonly account_id: string; readonly expires_at: Date | null; readonly drawn: string };

/**
 * Takes points from the open lots of locked accounts, each account once, in the order of expiry.
 * @returns the drawn points by account, in the order of expiry: less than the amount if the lots have too few
 */
export async function drawLots(uow: UnitOfWork, amounts: ReadonlyMap<string, Amount>): Promise<Map<string, LotPart[]>> {
  if (amounts.size === 0) return new Map();
  const rows = await uow.query<DrawnRow>(
    `with wanted as (
       select * from unnest($2::uuid[], $3::numeric[]) as w(account_id, amount)
     ), open as (
       select l.id, l.row_ctid, l.remaining, w.amount,
              sum(l.remaining) over (partition by l.account_id order by l.expires_at nulls last, l.id) - l.remaining as before
         from (select account_id as id, amount from wanted) w cross join ${openLots('true', 'w.id')} l
     )
     update point_lot l
        set remaining = l.remaining - least(o.remaining, o.amount - o.before)
       from ${limitedKeys('open', 'o', 'array(select id from open)')}
      where l.client_id = $1 and l.ctid = o.row_ctid and o.before < o.amount
      returning l.account_id, l.expires_at, least(o.remaining, o.amount - o.before) as drawn`,
    [uow.clientId, [...amounts.keys()], [...amounts.values()].map(amountToDecimal)],
  );
  const momentOf = (row: DrawnRow) => row.expires_at?.getTime() ?? Infinity;
  const byExpiry = rows.toSorted((one, other) => (momentOf(one) < momentOf(other) ? -1 : 1));
  const byAccount = Map.groupBy(byExpiry, (row) => row.account_id);
  return new Map([...byAccount].map(([accountId, drawn]) => [accountId, partsOf(drawn)]));
}

/** The parts of rows, joined by expiry: an account may have thousands of lots that never expire. */
function partsOf(rows: readonly DrawnRow[]): LotPart[] {
  const parts: LotPart[] = [];
  for (const row of rows) {
    const expiresAt = row.expires_at ?? undefined;
    const last = parts.at(-1);
    const same = last !== undefined && last.expiresAt?.getTime() === expiresAt?.getTime();
    const before = same ? parts.pop()!.amount : 0n;
    parts.push({ amount: before + amountFromDecimal(row.drawn), expiresAt });
  }
  return parts;
}

/** The parts in the form of the column `drawn`; undefined without any. */
function storedParts(parts: readonly LotPart[] | undefined): StoredPart[] | undefined {
  return parts?.map(({ amount, expiresAt }) => ({
    amount: amountToDecimal(amount),
    expiresAt: expiresAt?.toISOString() ?? null,
  }));
}

const ENTRY = columnsOf(pointEntryTable, [
  'id',
  'accountId',
  'type',
  'amount',
  'balanceAfter',
  'sourceType',
  'sourceId',
  'operationId',
  'reason',
  'earned',
]);

/** `created_at` is in microseconds, which a `Date` cannot hold. */
type EntryRow = RowOf<typeof ENTRY> & { readonly created_at: string };

/** An account's latest entries, newest first, older than `before` if given. */
export async function entriesBefore(
  uow: UnitOfWork,
  accountId: string,
  limit: number,
  before: Micros | undefined,
): Promise<PointEntry[]> {
  const rows = await uow.query<EntryRow>(
    `select ${ENTRY}, (extract(epoch from created_at) * 1000000)::int8 as created_at
       from point_entry e
      where client_id = $1 and account_id = $2 and e.created_at < coalesce($4::timestamptz, 'infinity')
      order by e.created_at desc limit $3`,
    [uow.clientId, accountId, limit, before === undefined ? null : microsToText(before)],
  );
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    type: row.type,
    amount: amountFromDecimal(row.amount),
    balanceAfter: amountFromDecimal(row.balance_after),
    sourceType: row.source_type ?? '',
    sourceId: row.source_id ?? undefined,
    operationId: row.operation_id ?? undefined,
    reason: row.reason ?? undefined,
    earned: row.earned ? true : undefined,
    createdAt: Number(row.created_at),
  }));
}

/** The client's accounts with expired points at `now`, for housekeeping. */
export async function dueAccounts(uow: UnitOfWork, now: Date, limit: number): Promise<string[]> {
  const rows = await uow.query<{ account_id: string }>(
    `select distinct account_id from (
       select account_id from point_lot
        where client_id = $1 and remaining > 0 and expires_at <= $2 order by expires_at limit $3
     ) due order by account_id`,
    [uow.clientId, now, limit],
  );
  return rows.map((row) => row.account_id);
}
