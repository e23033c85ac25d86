import type { Difference } from '../kernel/difference.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { REDEEMED_UNITS } from '../redemptions/redemptions.queries.ts';
import { ALLOCATED_UNITS } from '../rewards/products/products.queries.ts';

/**
 * Recomputes the units of the client's publications and agreements from added, sold and reserved units, and the allocated units of products
 * from those of their publications.
 */
export async function verifyMarketplace(uow: UnitOfWork): Promise<Difference[]> {
  return [...(await verifyAllocated(uow)), ...(await verifyUnits(uow))];
}

function verifyAllocated(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `with offered as (
       select product_id, sum(stock) as units from publication where client_id = $1 group by product_id
     )
     select 'product.allocated' as subject, p.id, p.allocated::text as stored, d.recomputed::text
       from ${ALLOCATED_UNITS} p
       left join offered o on o.product_id = p.id
      cross join lateral (
        select case when p.stock_mode = 'UNLIMITED' then 0 else coalesce(o.units, 0) end as recomputed
      ) d
      where p.allocated <> d.recomputed
      order by p.id`,
    [uow.clientId],
  );
}

function verifyUnits(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `with sold as (
       select source_id as publication_id, sum(quantity) as units from ${REDEEMED_UNITS} r
        where source = 'MARKETPLACE' group by source_id
     ), held as (
       select publication_id, sum(quantity) as units from reservation
        where client_id = $1 and status = 'ACTIVE' group by publication_id
     ), publications as (
       select p.id, p.agreement_id, p.stock, p.reserved, p.units_added, coalesce(s.units, 0) as sold, coalesce(h.units, 0) as held
         from publication p
         left join sold s on s.publication_id = p.id
         left join held h on h.publication_id = p.id
        where p.client_id = $1
     ), agreements as (
       select a.id, a.stock, a.reserved, a.units_added, coalesce(sum(p.sold), 0) as sold, coalesce(sum(p.held), 0) as held
         from agreement a left join publications p on p.agreement_id = a.id
        where a.client_id = $1 group by a.client_id, a.id
     ), stocks as (
       select 'publication' as kind, id, stock, reserved, units_added, sold, held from publications
       union all
       select 'agreement', id, stock, reserved, units_added, sold, held from agreements
     )
     select s.kind || d.field as subject, s.id, d.stored::text, d.recomputed::text
       from stocks s
      cross join lateral (values ('.stock', s.stock, s.units_added - s.sold), ('.reserved', s.reserved, s.held))
         as d(field, stored, recomputed)
      where d.stored <> d.recomputed
      order by s.id, d.field`,
    [uow.clientId],
  );
}
