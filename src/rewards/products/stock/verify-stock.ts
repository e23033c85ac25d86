import type { Difference } from '../../../kernel/difference.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { REDEEMED_UNITS } from '../../../redemptions/redemptions.queries.ts';
import { TYPES_OF_PIECES } from '../../definitions/reward-types.ts';

/** Recomputes stocks, queues, codes and pieces of the client at `now`, from added, earned and delivered units. */
export async function verifyStock(uow: UnitOfWork, now: Date): Promise<Difference[]> {
  const [products, queues] = [await verifyProducts(uow), await verifyQueues(uow, now)];
  return [...products, ...queues, ...(await verifyCodes(uow)), ...(await verifyPieces(uow))];
}

async function verifyProducts(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `with handed_out as (
       -- Cancelled ones too: their units have not come back.
       select product_id, sum(quantity) as units from ${REDEEMED_UNITS} r group by product_id
     ), queue as (
       select product_id, count(*) as waiting from earned_reward
        where client_id = $1 and status = 'PENDING_STOCK' group by product_id
     ), codes as (
       select product_id, count(*) as units, count(*) filter (where redemption_id is null) as free
         from product_code where client_id = $1 group by product_id
     )
     select d.subject, p.id, d.stored::text, coalesce(d.recomputed, 0)::text as recomputed
       from product p
       left join handed_out h on h.product_id = p.id
       left join queue q on q.product_id = p.id
       left join codes c on c.product_id = p.id
      cross join lateral (values
        ('product.waiting', p.waiting, q.waiting, true),
        ('product.stock', p.stock, p.units_added - coalesce(h.units, 0), p.stock_mode <> 'UNLIMITED'),
        ('product.stock (free codes)', p.stock, c.free, p.stock_mode = 'CODES'),
        ('product.units_added (codes)', p.units_added, c.units, p.stock_mode = 'CODES')
      ) as d(subject, stored, recomputed, applies)
      where p.client_id = $1 and d.applies and d.stored <> coalesce(d.recomputed, 0)
      order by p.id, d.subject`,
    [uow.clientId],
  );
}

/** Units that pending rewards need; for pieces, the units that they make with the pieces of the account. */
const NEEDS = `(
  select e.id, e.product_id, e.queue_position, e.units_needed,
         case when e.reward_type = any($2)
           then floor((e.amount + coalesce(f.pieces, 0)) / p.fragments_required)::int
           else e.amount::int
         end as units
    from earned_reward e
    left join product p on p.client_id = $1 and p.id = e.product_id
    left join fragment_balance f on f.client_id = $1 and f.account_id = e.account_id and f.product_id = e.product_id
   where e.client_id = $1 and e.status = 'PENDING_STOCK'
)`;

/**
 * Checks that every pending reward has its place and its number of units, and that the free units suffice for none. During a restock, and
 * for some minutes after a crashed one, a reward may still wait: it is a difference only an hour after units were added.
 */
async function verifyQueues(uow: UnitOfWork, now: Date): Promise<Difference[]> {
  return uow.query<Difference>(
    `select 'earned_reward.units_needed' as subject, id, coalesce(units_needed::text, 'none') as stored,
            coalesce(units::text, 'none') as recomputed
       from ${NEEDS} e where units_needed is distinct from units
     union all
     select 'earned_reward.queue_position', id, 'none', 'a place' from ${NEEDS} e where queue_position is null
     union all
     select 'product.waiting (units suffice)', p.id, count(*)::text, '0'
       from product p join ${NEEDS} e on e.product_id = p.id and e.units <= p.stock - p.allocated
      where p.client_id = $1 and p.updated_at < $3::timestamptz - interval '1 hour'
      group by p.id
      order by 1, 2`,
    [uow.clientId, TYPES_OF_PIECES, now],
  );
}

/** Checks that every redemption of a product with codes has as many codes as units, and every redeemed code its redemption. */
async function verifyCodes(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `select 'redemption.quantity (codes)' as subject, coalesce(r.id, c.redemption_id)::text as id,
            coalesce(r.quantity, 0)::text as stored, coalesce(c.codes, 0)::text as recomputed
       from (
         select r.id, r.quantity from ${REDEEMED_UNITS} r
           join product p on p.client_id = $1 and p.id = r.product_id and p.stock_mode = 'CODES'
       ) r
       full join (
         select redemption_id, count(*) as codes from product_code
          where client_id = $1 and redemption_id is not null group by redemption_id
       ) c on c.redemption_id = r.id
      where coalesce(r.quantity, 0) <> coalesce(c.codes, 0)
      order by 2`,
    [uow.clientId],
  );
}

/** Checks that the pieces of accounts are the earned ones less the combined ones. */
async function verifyPieces(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `with earned as (
       select account_id, product_id, sum(amount - coalesce(amount_reversed, 0)) as pieces from earned_reward
        where client_id = $1 and reward_type = any($2) and status = 'DELIVERED' group by account_id, product_id
     ), combined as (
       select r.account_id, r.product_id, sum(r.quantity) * p.fragments_required as pieces
         from ${REDEEMED_UNITS} r join product p on p.client_id = $1 and p.id = r.product_id
        where r.source = 'FRAGMENTS'
        group by r.account_id, r.product_id, p.fragments_required
     ), held as (
       select account_id, product_id, pieces from fragment_balance where client_id = $1
     )
     select 'fragment_balance.pieces' as subject, account_id::text as id, coalesce(h.pieces, 0)::text as stored,
            (coalesce(e.pieces, 0) - coalesce(c.pieces, 0))::int::text as recomputed
       from held h full join earned e using (account_id, product_id) full join combined c using (account_id, product_id)
      where coalesce(h.pieces, 0) <> coalesce(e.pieces, 0) - coalesce(c.pieces, 0)
      order by account_id, product_id`,
    [uow.clientId, TYPES_OF_PIECES],
  );
}
