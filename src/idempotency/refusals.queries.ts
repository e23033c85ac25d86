import type { UnitOfWork } from '../persistence/database.ts';
import { probe } from '../persistence/by-keys.ts';
import type { Claim } from './claim.ts';

type Named = Pick<Claim, 'operationId' | 'scope'>;

/** Milliseconds since 1970 by PostgreSQL's clock, with fractions. */
export type Refusal = { readonly now: number; readonly refusedAt: number | null };

/**
 * When a call with this operation id was last refused. Ask after the id has been claimed: a statement that begins once the
 * claim is held sees whatever its former holders committed.
 */
export async function lastRefusal(uow: UnitOfWork, { operationId, scope }: Named): Promise<Refusal> {
  const [row] = await uow.query<Refusal>(
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
            (select at from ${probe({
              select: '(extract(epoch from refused_at) * 1000)::float8 as at',
              from: 'operation_refusal',
              key: { operation_id: '$2', scope: '$3' },
            })} refusal) as "refusedAt"`,
    [uow.clientId, operationId, scope],
  );
  return row!;
}

/** Remembers that a call with this operation id is refused now. Its id must be claimed. */
export async function storeRefusal(uow: UnitOfWork, { operationId, scope }: Named): Promise<void> {
  await uow.query(
    `insert into operation_refusal (client_id, operation_id, scope, refused_at)
     values ($1::uuid, $2, $3, clock_timestamp())
     on conflict (client_id, operation_id, scope) do update set refused_at = excluded.refused_at`,
    [uow.clientId, operationId, scope],
  );
}

/** Forgets that a call was refused, because it has taken effect. Its id must be claimed. */
export async function deleteRefusal(uow: UnitOfWork, { operationId, scope }: Named): Promise<void> {
  await uow.query(
    `delete from operation_refusal r using ${probe({
      select: 'ctid as place',
      from: 'operation_refusal',
      key: { operation_id: '$2', scope: '$3' },
    })} held where r.client_id = $1::uuid and r.ctid = held.place`,
    [uow.clientId, operationId, scope],
  );
}

/** Forgets at most `batch` refusals of more than `hours` ago. Gives how many; fewer than `batch` means done. */
export async function forgetRefusals(uow: UnitOfWork, hours: number, batch: number): Promise<number> {
  const rows = await uow.query<object>(
    `delete from operation_refusal r
      using (select ctid as place from operation_refusal
              where client_id = $1::uuid and refused_at < clock_timestamp() - $2 * interval '1 hour'
              order by refused_at limit $3) old
      where r.client_id = $1::uuid and r.ctid = old.place
      returning r.scope`,
    [uow.clientId, hours, batch],
  );
  return rows.length;
}
