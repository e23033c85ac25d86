import { clientsWith } from '../../clients/client-ids.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { deleteInBatches } from '../../persistence/delete-in-batches.ts';
import { removeDeleted } from '../../persistence/remove-deleted.ts';
import { IS_LISTED, IS_UNLISTED } from '../entries/leaderboard-entry.entity.ts';
import { LOWEST_SCORE } from '../ranks/ranks.queries.ts';

/** Rows per transaction. */
const BATCH = 500;

/** Housekeeping: removes the entries of the runs of deleted leaderboards. @returns the number of removed rows */
export function removeDeletedRuns(db: Database, clientId: string, now: Date): Promise<number> {
  return removeDeleted(db, clientId, now, {
    select: `select run_id as id, deleted_at as "deletedAt" from deleted_leaderboard_run where client_id = $1`,
    forget: 'delete from deleted_leaderboard_run where client_id = $1 and run_id = $2',
    async remove(id) {
      await db.unitOfWork(clientId, async (uow) => {
        await uow.query('delete from leaderboard_range where client_id = $1 and run_id = $2', [clientId, id]);
        await uow.query('delete from leaderboard_delta where client_id = $1 and run_id = $2', [clientId, id]);
      });
      return (await removeRows(db, clientId, id)) + (await removeLeagues(db, clientId, id));
    },
  });
}

/** Listed entries are found by their ranks, the others by a separate index. */
async function removeRows(db: Database, clientId: string, runId: string): Promise<number> {
  const listed = await deleteInBatches<string>(db, clientId, {
    batch: BATCH,
    async deleteBatch(uow, from = `${LOWEST_SCORE}`) {
      const rows = await uow.query<{ score: string }>(
        `delete from leaderboard_entry d
          using (select ctid as row_ctid from leaderboard_entry
                  where client_id = $1::uuid and run_id = $2 and ${IS_LISTED} and score >= $3::bigint
                  order by client_id, run_id, score, reached_at, account_id limit $4) old
          where d.client_id = $1::uuid and d.ctid = old.row_ctid
         returning d.score`,
        [clientId, runId, from, BATCH],
      );
      return { count: rows.length, last: rows.at(-1)?.score };
    },
  });
  const others = await deleteInBatches<string>(db, clientId, {
    batch: BATCH,
    async deleteBatch(uow, from = NIL_UUID) {
      const rows = await uow.query<{ accountId: string }>(
        `delete from leaderboard_entry d
          using (select ctid as row_ctid from leaderboard_entry
                  where client_id = $1::uuid and run_id = $2 and ${IS_UNLISTED} and account_id >= $3
                  order by client_id, run_id, account_id limit $4) old
          where d.client_id = $1::uuid and d.ctid = old.row_ctid
         returning d.account_id as "accountId"`,
        [clientId, runId, from, BATCH],
      );
      const last = rows
        .map(({ accountId }) => accountId)
        .toSorted()
        .at(-1);
      return { count: rows.length, last };
    },
  });
  return listed + others;
}

/** Removes the groups of a run, and the leagues of accounts on a leaderboard. @param id the id of either */
async function removeLeagues(db: Database, clientId: string, id: string): Promise<number> {
  const groups = await removeBy(db, clientId, {
    ...{ table: 'leaderboard_place', column: 'run_id', id },
    order: 'client_id, run_id, league, group_number, account_id',
  });
  const standings = await removeBy(db, clientId, {
    ...{ table: 'leaderboard_standing', column: 'leaderboard_id', id },
    order: 'client_id, leaderboard_id, account_id',
  });
  return groups + standings;
}

/** Removes the rows with an id in a column. Names and order are constant SQL, never input. */
function removeBy(
  db: Database,
  clientId: string,
  { table, column, order, id }: Readonly<Record<'table' | 'column' | 'order' | 'id', string>>,
): Promise<number> {
  return deleteInBatches<string>(db, clientId, {
    batch: BATCH,
    async deleteBatch(uow) {
      const rows = await uow.query(
        `delete from ${table} d
          using (select ctid as row_ctid from ${table} where client_id = $1::uuid and ${column} = $2 order by ${order} limit $3) old
          where d.client_id = $1::uuid and d.ctid = old.row_ctid
         returning 1`,
        [clientId, id, BATCH],
      );
      return { count: rows.length, last: undefined };
    },
  });
}

/** The clients with runs of deleted leaderboards, in a system unit of work. */
export function clientsWithDeletedRuns(uow: UnitOfWork): Promise<string[]> {
  return clientsWith(uow, 'select from deleted_leaderboard_run where client_id = c.id limit 1', []);
}
