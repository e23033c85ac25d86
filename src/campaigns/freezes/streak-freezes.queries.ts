import { addToFeed } from '../../changes/collect-changes.ts';
import type { FreezeLedger, FreezeMove, FreezeUse } from '../../engine/freezes/freeze-ledger.ts';
import { optionalAmount } from '../../kernel/amount.ts';
import { newId } from '../../kernel/ids.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import type { FreezeEntry, NewFreezeEntry } from './freeze-entry.ts';
import { freezesChanged } from './freezes-changed.ts';
import { streakFreezeTable } from './streak-freeze.entity.ts';

/** The ledgers of accounts, by account; no entry for an account without a line. */
export async function freezeLedgers(
  uow: UnitOfWork,
  accountIds: readonly string[],
): Promise<Map<string, FreezeLedger>> {
  const rows = await uow.query<{
    accountId: string;
    amount: number;
    at: Date;
    missionId: string | null;
    period: number | null;
    milestone: number | null;
  }>(
    `select f.account_id as "accountId", f.amount, f.at, f.mission_id as "missionId", f.period, f.milestone
       from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
         select: 'account_id, id, amount, at, mission_id, period, milestone',
         from: 'streak_freeze',
         key: { account_id: 'wanted.id' },
         many: true,
       })} f order by f.id`,
    [uow.clientId, [...new Set(accountIds)]],
  );
  const ledgers = new Map<string, { moves: FreezeMove[]; uses: Map<string, FreezeUse[]> }>();
  for (const { accountId, amount, at, missionId, period, milestone } of rows) {
    const ledger = ledgers.get(accountId) ?? { moves: [] as FreezeMove[], uses: new Map<string, FreezeUse[]>() };
    ledgers.set(accountId, ledger);
    if (period === null || missionId === null) {
      const of = milestone === null || missionId === null ? undefined : { missionId, length: milestone };
      ledger.moves.push({ at: at.getTime(), count: amount, milestone: of });
      continue;
    }
    // Two accounts that became one may both have bridged a period: then it has two uses.
    const own = ledger.uses.get(`${missionId} ${period}`) ?? [];
    ledger.uses.set(`${missionId} ${period}`, own);
    if (amount < 0) own.push({ missionId, period, at: at.getTime() });
    else own.pop();
  }
  return new Map([...ledgers].map(([id, { moves, uses }]) => [id, { moves, uses: [...uses.values()].flat() }]));
}

const insertEntries = insertInto(streakFreezeTable);

/** Stores lines. The caller has locked the accounts. @returns the lines with their ids */
export async function insertFreezeEntries(
  uow: UnitOfWork,
  entries: readonly NewFreezeEntry[],
  now: Date,
): Promise<FreezeEntry[]> {
  const stored = entries.map((entry) => ({ ...entry, id: newId() }));
  if (stored.length === 0) return stored;
  await insertEntries(
    uow,
    stored.map((entry) => ({
      ...{ id: entry.id, accountId: entry.accountId, type: entry.type, amount: entry.amount, at: entry.at },
      ...{ missionId: entry.missionId, period: entry.period, periodKey: entry.periodKey, milestone: entry.milestone },
      ...{ points: entry.points, operationId: entry.operationId, reason: entry.reason, createdAt: now },
    })),
  );
  addToFeed(uow, () => stored.map(freezesChanged));
  return stored;
}

/** The columns of a {@link FreezeEntry}. */
export const ENTRY = propertiesOf(streakFreezeTable, [
  'id',
  'accountId',
  'type',
  'amount',
  'at',
  'missionId',
  'period',
  'periodKey',
  'milestone',
  'points',
  'operationId',
  'reason',
]);

/** The lines of an account, latest first. @param before the id of the last line that the caller has; undefined for the first page */
export async function freezeEntries(
  uow: UnitOfWork,
  accountId: string,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
): Promise<FreezeEntry[]> {
  const rows = await uow.query<EntryRow>(
    `select ${ENTRY} from streak_freeze
      where client_id = $1 and account_id = $2 and id < $3 order by client_id, account_id, id desc limit $4`,
    [uow.clientId, accountId, before ?? LAST_ID, limit],
  );
  return rows.map(freezeEntryOf);
}

/** A row of {@link ENTRY}. */
export type EntryRow = RowOf<typeof ENTRY>;

/** A line of the ledger from its row. */
export function freezeEntryOf(row: EntryRow): FreezeEntry {
  return {
    ...{ id: row.id, accountId: row.accountId, type: row.type, amount: row.amount, at: row.at },
    missionId: row.missionId ?? undefined,
    periodKey: row.periodKey ?? undefined,
    milestone: row.milestone ?? undefined,
    points: optionalAmount(row.points ?? null),
    operationId: row.operationId ?? undefined,
    reason: row.reason ?? undefined,
  };
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
