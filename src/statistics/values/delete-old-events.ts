import { selectAccounts } from '../../accounts/accounts.queries.ts';
import type { Aggregation } from '../../engine/statistics/statistic-value.ts';
import { amountFromDecimal } from '../../kernel/amount.ts';
import { firstIdAt, NIL_UUID } from '../../kernel/ids.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { type DeletedBatch, deleteInBatches } from '../../persistence/delete-in-batches.ts';
import { combined, raiseBases } from './account-statistics.queries.ts';

/** Events per transaction. */
const BATCH = 500;

/**
 * Housekeeping: deletes events of MAX and LAST, and rewards of POINTS, that cannot be taken back any more. Their values stay as the
 * base from which a reversal of later events goes back.
 * @param before the time of the journal's oldest entries
 * @returns the number of deleted events
 */
export function deleteOldEvents(db: Database, clientId: string, before: Date): Promise<number> {
  return deleteInBatches<string>(db, clientId, {
    batch: BATCH,
    deleteBatch: (uow, from = NIL_UUID) => deleteOldBatch(uow, from, firstIdAt(before)),
  });
}

type OldEvent = {
  readonly batchId: string;
  readonly entry: number;
  readonly accountId: string;
  readonly statisticId: string;
  readonly period: number;
  readonly aggregation: Aggregation | null;
  readonly value: string;
  readonly occurredAt: Date;
};

async function deleteOldBatch(uow: UnitOfWork, from: string, before: string): Promise<DeletedBatch<string>> {
  const first = `select ctid as row_ctid, account_id from account_statistic_event
                  where client_id = $1::uuid and batch_id >= $2 and batch_id < $3 order by client_id, batch_id limit ${BATCH}`;
  const found = await uow.query<{ accountId: string }>(
    `select distinct account_id::text as "accountId" from (${first}) old`,
    [uow.clientId, from, before],
  );
  // The base of an account must not move to another one meanwhile, by a merge.
  const ids = found.map(({ accountId }) => accountId);
  await selectAccounts(uow, { ids, externalIds: [] }, 'change');
  const events = await uow.query<OldEvent>(
    `delete from account_statistic_event d using (${first}) old
      where d.client_id = $1::uuid and d.ctid = old.row_ctid and d.account_id = any($4::uuid[])
     returning d.batch_id as "batchId", d.entry, d.account_id as "accountId", d.statistic_id as "statisticId", d.period,
               (select s.aggregation from account_statistic s
                 where s.client_id = $1 and s.account_id = d.account_id and s.statistic_id = d.statistic_id and s.period = d.period)
               as aggregation, d.value, d.occurred_at as "occurredAt"`,
    [uow.clientId, from, before, ids],
  );
  await raiseBases(uow, combined(events.toSorted(byOrder).flatMap(effectOf)));
  const last = events.reduce<string | undefined>(
    (latest, { batchId }) => (latest === undefined || batchId > latest ? batchId : latest),
    undefined,
  );
  return { count: events.length, last };
}

/** The order of application. */
function byOrder(one: OldEvent, other: OldEvent): number {
  if (one.batchId === other.batchId) return one.entry - other.entry;
  return one.batchId < other.batchId ? -1 : 1;
}

/** The effect of an event on a value that still exists. One of DAYS stays in its day. */
function effectOf({ value, occurredAt, aggregation, ...event }: OldEvent) {
  if (aggregation === null || aggregation === 'DAYS') return [];
  const effect = { ...event, aggregation, amount: amountFromDecimal(value), occurredAt: occurredAt.getTime() };
  return [{ accountId: event.accountId, effects: [effect] }];
}
