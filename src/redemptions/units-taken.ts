import { firstIdAt } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** The maximum of redemptions that are read. */
const REDEMPTIONS_MAX = 10_000;

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/**
 * Units of each product that accounts take from its free stock in 24 hours: counted, or with more than {@link REDEMPTIONS_MAX} redemptions
 * estimated from the last ones. It omits marketplace sales, which use another stock, and cancelled units, which returned to the stock.
 */
export async function unitsTakenInADay(uow: UnitOfWork, now: Date): Promise<ReadonlyMap<string, number>> {
  const rows = await uow.query<{ product_id: string; units: number; looked_at: number; first_at: Date }>(
    `with recent as materialized (
       select product_id, quantity, status, source, created_at from redemption
        where client_id = $1 and id >= $2 order by client_id desc, id desc limit ${REDEMPTIONS_MAX}
     )
     select product_id, sum(quantity)::float8 as units, (select count(*) from recent)::int as looked_at,
            (select min(created_at) from recent) as first_at
       from recent where status = 'COMPLETED' and source <> 'MARKETPLACE' group by product_id`,
    [uow.clientId, firstIdAt(new Date(now.getTime() - DAY_MS))],
  );
  return new Map(
    rows.map(({ product_id: id, units, looked_at: lookedAt, first_at: firstAt }) => {
      const lengthMs = lookedAt < REDEMPTIONS_MAX ? DAY_MS : Math.max(1_000, now.getTime() - firstAt.getTime());
      return [id, Math.round((units * DAY_MS) / lengthMs)];
    }),
  );
}

/** Units of a product that were taken. */
export type UnitsTaken = { readonly day: number; readonly week: number };

/**
 * Units of one product that accounts took from its free stock in 24 hours and in seven days: counted, or with more than
 * {@link REDEMPTIONS_MAX} redemptions estimated from the last ones. It omits the same units as {@link unitsTakenInADay}.
 */
export async function unitsTakenOf(uow: UnitOfWork, productId: string, now: Date): Promise<UnitsTaken> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const [row] = await uow.query<{ day: number; week: number; count: number; firstAt: Date | null }>(
    `with recent as materialized (
       select quantity, status, source, created_at from redemption
        where client_id = $1 and product_id between $2 and $2 and id >= $3
        order by client_id desc, product_id desc, id desc limit ${REDEMPTIONS_MAX}
     ), taken as (
       select quantity, created_at from recent where status = 'COMPLETED' and source <> 'MARKETPLACE'
     )
     select coalesce(sum(quantity), 0)::float8 as week, coalesce(sum(quantity) filter (where created_at >= $4), 0)::float8 as day,
            (select count(*) from recent)::int as count, (select min(created_at) from recent) as "firstAt"
       from taken`,
    [uow.clientId, productId, firstIdAt(new Date(now.getTime() - WEEK_MS)), dayAgo],
  );
  const { day, week, count, firstAt } = row!;
  if (count < REDEMPTIONS_MAX || firstAt === null) return { day, week };
  const lengthMs = Math.max(1_000, now.getTime() - firstAt.getTime());
  const inDay = lengthMs < DAY_MS ? (week * DAY_MS) / lengthMs : day;
  return { day: Math.round(inDay), week: Math.round((week * WEEK_MS) / lengthMs) };
}
