import type { UnitOfWork } from '../../persistence/database.ts';
import { CAUSES_MAX, type AttentionItem } from '../../activity/causes.ts';

/** Products with pending rewards, the longest queues first. */
export async function waitingProducts(uow: UnitOfWork): Promise<readonly AttentionItem[]> {
  const rows = await uow.query<{ id: string; name: string; waiting: number; units_left: number; since: Date | null }>(
    `select p.id, p.name, p.waiting, p.stock - p.allocated as units_left, first.created_at as since
       from (select * from product where client_id = $1 and waiting > 0 order by waiting desc, id limit ${CAUSES_MAX}) p
       left join lateral (
         select created_at from earned_reward
          where client_id = $1::uuid and product_id between p.id and p.id and status = 'PENDING_STOCK'
          order by client_id, product_id, queue_position limit 1) first on true
      order by p.waiting desc, p.id`,
    [uow.clientId],
  );
  return rows.map(({ id, name, waiting, units_left: unitsLeft, since }) => ({
    about: id,
    subjectId: id,
    subject: name,
    count: waiting,
    unitsLeft,
    since: since ?? undefined,
    severity: 'URGENT',
  }));
}
