import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { lockedRows, lookUpByKey } from '../persistence/key-lookup.ts';
import { ARRIVED } from '../persistence/moments.ts';
import type { OperationClaim } from './claim.ts';
import { refusalTable } from './refusal.entity.ts';

type Named = Pick<OperationClaim, 'operationId' | 'scope'>;

/** Milliseconds since 1970 by PostgreSQL's clock, with fractions. */
export type RefusalTimes = { readonly now: number; readonly refusedAt: number | null };

/**
 * The last refusals of these operation ids, in order. Call it after claiming the ids: a statement that begins under the claim sees the
 * commits of all former holders.
 */
export function lastRefusals(uow: UnitOfWork, operations: readonly Named[]): Promise<RefusalTimes[]> {
  return uow.query<RefusalTimes>(
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now, refusal.at as "refusedAt"
       from unnest($2::text[], $3::text[]) with ordinality as wanted(id, scope, position)
       left join ${lookUpByKey({
         select: '(extract(epoch from refused_at) * 1000)::float8 as at',
         from: 'operation_refusal',
         key: { operation_id: 'wanted.id', scope: 'wanted.scope' },
       })} refusal on true
      order by wanted.position`,
    valuesOf(uow, operations),
  );
}

/** Stores that calls with these operation ids are refused now. The ids must be claimed. */
export async function storeRefusals(uow: UnitOfWork, operations: readonly Named[]): Promise<void> {
  await insertRows(uow, operations);
}

const insertRows = insertInto(refusalTable, {
  computed: { refusedAt: ARRIVED },
  conflict: { key: ['operationId', 'scope'], do: 'update' },
});

/** Deletes refusals of calls that have taken effect. Their ids must be claimed. */
export async function deleteRefusals(uow: UnitOfWork, operations: readonly Named[]): Promise<void> {
  if (operations.length === 0) return;
  await uow.query(
    `delete from operation_refusal r using ${lockedRows({
      source: 'unnest($2::text[], $3::text[]) as done(id, scope)',
      alias: 'done',
      keys: '$2::text[]',
      table: 'operation_refusal',
      key: { operation_id: 'done.id', scope: 'done.scope' },
    })} where r.client_id = $1::uuid and r.ctid = done.row_ctid`,
    valuesOf(uow, operations),
  );
}

function valuesOf(uow: UnitOfWork, operations: readonly Named[]): unknown[] {
  return [uow.clientId, operations.map(({ operationId }) => operationId), operations.map(({ scope }) => scope)];
}

/** Deletes at most `batch` refusals from before a moment. Returns their number; fewer than `batch` means done. */
export async function deleteRefusalsBefore(uow: UnitOfWork, before: Date, batch: number): Promise<number> {
  const rows = await uow.query<object>(
    `delete from operation_refusal r
      using (select ctid as row_ctid from operation_refusal
              where client_id = $1::uuid and refused_at < $2
              order by refused_at limit $3) old
      where r.client_id = $1::uuid and r.ctid = old.row_ctid
      returning r.scope`,
    [uow.clientId, before, batch],
  );
  return rows.length;
}
