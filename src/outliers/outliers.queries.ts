import { clientsWhere, clientsWith } from '../clients/client-ids.ts';
import { CLIENT_ROW } from '../persistence/client-row.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { Measure, Outlier } from './outlier-rule.ts';

/**
 * The clients that compare accounts and have not compared those of the hour, and those with rows of `expired` or before, in a system unit of
 * work.
 */
export async function clientsToMeasure(uow: UnitOfWork, hour: Date, expired: Date): Promise<string[]> {
  // Citus pushes down each of the two, and not both as one.
  const [due, old] = await Promise.all([
    clientsWhere(
      uow,
      'c.outlier_threshold > 0 and not exists (select from outlier_measurement m where m.client_id = c.id and m.hour >= $1)',
      [hour],
    ),
    clientsWith(uow, 'select from account_outlier o where o.client_id = c.id and o.hour <= $1 limit 1', [expired]),
  ]);
  return [...new Set([...due, ...old])].toSorted();
}

/** The last hour whose accounts were compared; undefined if none were. */
export async function lastMeasured(uow: UnitOfWork): Promise<Date | undefined> {
  const [row] = await uow.query<{ hour: Date }>('select hour from outlier_measurement where client_id = $1', [
    uow.clientId,
  ]);
  return row?.hour;
}

/** Stores the hour as compared. */
export async function saveMeasured(uow: UnitOfWork, hour: Date): Promise<void> {
  await uow.query(
    `insert into outlier_measurement (client_id, hour) values ($1, $2)
     on conflict (client_id) do update set hour = greatest(outlier_measurement.hour, excluded.hour)`,
    [uow.clientId, hour],
  );
}

/** Stores outliers of an hour, of accounts that are locked for their presence. */
export async function saveOutliers(
  uow: UnitOfWork,
  {
    measure,
    hour,
    outliers,
  }: { readonly measure: Measure; readonly hour: Date; readonly outliers: readonly Outlier[] },
): Promise<void> {
  if (outliers.length === 0) return;
  await uow.query(
    `insert into account_outlier as o (client_id, account_id, measure, hour, observed, usual)
     select client_row.client_id, found.account_id, $2, $3, found.observed, found.usual
       from ${CLIENT_ROW} cross join unnest($4::uuid[], $5::float8[], $6::float8[]) as found (account_id, observed, usual)
      order by found.account_id
     on conflict (client_id, account_id, measure) do update
        set hour = excluded.hour, observed = excluded.observed, usual = excluded.usual where o.hour < excluded.hour`,
    [
      uow.clientId,
      measure,
      hour,
      outliers.map(({ accountId }) => accountId),
      outliers.map(({ observed }) => observed),
      outliers.map(({ usual }) => usual),
    ],
  );
}

/** An outlier as it is stored. */
export type StoredOutlier = Outlier & { readonly hour: Date };

/** The latest outliers after a moment, the latest hour and the farthest first. */
export function outliersAfter(
  uow: UnitOfWork,
  { measure, after, limit }: { readonly measure: Measure; readonly after: Date; readonly limit: number },
): Promise<StoredOutlier[]> {
  return uow.query(
    `select account_id as "accountId", hour, observed::float8, usual::float8 from account_outlier
      where client_id = $1 and hour > $2 and measure = $3 order by hour desc, observed desc, account_id limit $4`,
    [uow.clientId, after, measure, limit],
  );
}

/** Deletes the outliers of `expired` and before. @returns their number */
export async function deleteOutliers(uow: UnitOfWork, expired: Date): Promise<number> {
  const rows = await uow.query(
    'delete from account_outlier where client_id = $1 and hour <= $2 returning 1 as deleted',
    [uow.clientId, expired],
  );
  return rows.length;
}
