import { clientsWith } from '../../clients/client-ids.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { deleteInBatches } from '../../persistence/delete-in-batches.ts';
import { removeDeleted } from '../../persistence/remove-deleted.ts';

/** Rows per transaction. */
const BATCH = 500;

/** The tables with a row for each account and period. Events have no index of statistics; they go with their age. */
const TABLES = ['account_statistic', 'account_statistic_day', 'account_statistic_mission'] as const;

/** The position of a row in the index of a statistic. */
type Position = { readonly period: number; readonly accountId: string };

const BEGINNING: Position = { period: -2_147_483_648, accountId: NIL_UUID };

/** Housekeeping: removes the values of deleted statistics. @returns the number of removed rows */
export function removeDeletedValues(db: Database, clientId: string, now: Date): Promise<number> {
  return removeDeleted(db, clientId, now, {
    select: `select statistic_id as id, deleted_at as "deletedAt" from deleted_statistic where client_id = $1`,
    forget: 'delete from deleted_statistic where client_id = $1 and statistic_id = $2',
    async remove(id) {
      let removed = 0;
      for (const table of TABLES) removed += await removeRows(db, clientId, table, id);
      return removed;
    },
  });
}

function removeRows(db: Database, clientId: string, table: (typeof TABLES)[number], statisticId: string) {
  return deleteInBatches<Position>(db, clientId, {
    batch: BATCH,
    async deleteBatch(uow, from = BEGINNING) {
      const rows = await uow.query<Position>(
        `delete from ${table} d
          using (select ctid as row_ctid from ${table}
                  where client_id = $1::uuid and statistic_id = $2 and (period, account_id) >= ($3, $4::uuid)
                  order by client_id, statistic_id, period, account_id limit $5) old
          where d.client_id = $1::uuid and d.ctid = old.row_ctid
         returning d.period, d.account_id as "accountId"`,
        [clientId, statisticId, from.period, from.accountId, BATCH],
      );
      const isLater = (one: Position, other: Position) =>
        one.period > other.period || (one.period === other.period && one.accountId > other.accountId);
      const last = rows.reduce<Position | undefined>(
        (latest, row) => (latest === undefined || isLater(row, latest) ? row : latest),
        undefined,
      );
      return { count: rows.length, last };
    },
  });
}

/** The clients with deleted statistics, in a system unit of work. */
export function clientsWithDeletedStatistics(uow: UnitOfWork): Promise<string[]> {
  return clientsWith(uow, 'select from deleted_statistic where client_id = c.id limit 1', []);
}
