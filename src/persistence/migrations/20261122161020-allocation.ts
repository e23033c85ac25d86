import { Migration } from '@mikro-orm/migrations';
import { type Compatibility, PRODUCTS_WITH_STOCK } from '../migrating/step.ts';
import { onEveryClient } from '../batching/on-every-client.ts';
import { DECISION } from '../migrate.ts';

export const compatibility: Compatibility = {
  rolling: false,
  reason:
    'Hosts of 0.1.0 sell and give units of products with a stock without counting what is allocated to publications and what waits: the stocks would not add up.',
  onlyIf: `exists (select from product where stock_mode <> 'UNLIMITED')`,
  inTheWay: PRODUCTS_WITH_STOCK,
  otherwise: 'Every product is UNLIMITED: create none with a stock before the last host of 0.1.0 has stopped.',
};

export const locks =
  'Nobody may take or reserve units by the old rule while they are shared out, so the older release has stopped.';

/**
 * Products know what their publications may sell. Publications that offer more than their product has get fewer units; who
 * gets them, and what is told of it, stands in docs/decisions/0047.
 */
export class Allocation extends Migration {
  override up(): void {
    // Nobody may take or reserve units by the old rule while they are shared out. In the order in which calls lock rows.
    this.addSql(`lock table product in access exclusive mode;`);
    this.addSql(`lock table agreement, publication, reservation in exclusive mode;`);
    this.addSql(`alter table "product" add "allocated" int not null default 0;`);
    this.addSql(onEveryClient(SHARE_OUT));
    this.addSql(
      onEveryClient(`update product p set allocated = offered.units
         from (select client_id, product_id, sum(stock) as units from publication group by client_id, product_id) offered
        where p.client_id = offered.client_id and p.id = offered.product_id and p.stock_mode <> 'UNLIMITED'`),
    );
    this.addSql(`alter table "product"
      add constraint "product_allocated_check"
      check (allocated between 0 and stock);`);
  }
}

/** Units that earned rewards of `promised` wait for: pieces of an account combine, whatever the order of its rewards. */
const UNITS_WAITED_FOR = `
  select coalesce(sum(wanted.units), 0)
    from (
      select case when e.reward_type = 'FRAGMENTS'
               then floor((sum(e.amount) + coalesce(max(f.pieces), 0)) / promised.fragments_required)
               else sum(e.amount)
             end as units
        from earned_reward e
        join account a on a.client_id = e.client_id and a.id = e.account_id and a.deleted_at is null
        left join fragment_balance f
          on f.client_id = e.client_id and f.account_id = e.account_id and f.product_id = e.product_id
       where e.client_id = promised.client_id and e.product_id = promised.id and e.status = 'PENDING_STOCK'
       group by e.account_id, e.reward_type
    ) wanted`;

/** Reservations of `promised` whose time is up hold nothing. */
const CLOSE_DUE = `
  with due as (
    update reservation r set status = 'EXPIRED', updated_at = moment
      from publication o
     where o.client_id = promised.client_id and o.product_id = promised.id
       and r.client_id = o.client_id and r.publication_id = o.id and r.status = 'ACTIVE' and r.expires_at <= moment
    returning r.publication_id, r.agreement_id, r.quantity
  ), own as (
    update publication o set reserved = o.reserved - d.units
      from (select publication_id, sum(quantity) as units from due group by publication_id) d
     where o.client_id = promised.client_id and o.id = d.publication_id
  )
  update agreement a set reserved = a.reserved - d.units
    from (select agreement_id, sum(quantity) as units from due group by agreement_id) d
   where a.client_id = promised.client_id and a.id = d.agreement_id`;

/** A UUIDv7, as the ids of the audit log are. */
const NEW_ID = `(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '7' ||
                 substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

/**
 * Shares out the units of each product that has fewer than its publications and the rewards that wait: reservations whole,
 * the oldest first; then the rewards; then what is published, then drafts, the oldest first. What is decided is raised as a
 * notice, which whoever migrates logs, and entered into the audit log.
 */
const SHARE_OUT = `do $$
declare
  moment constant timestamptz := clock_timestamp();
  promised record;
  held record;
  offer record;
  remaining bigint;
  waited_for numeric;
  kept bigint;
  lapsed jsonb;
begin
  set local client_min_messages = notice;
  for promised in
    select p.client_id, p.id, p.name, p.stock, p.waiting, p.fragments_required, sum(o.stock) as offered
      from product p
      join publication o on o.client_id = p.client_id and o.product_id = p.id
     where p.stock_mode <> 'UNLIMITED'
     group by p.client_id, p.id
     order by p.client_id, p.id
  loop
    waited_for := 0;
    if promised.waiting > 0 then
      waited_for := (${UNITS_WAITED_FOR});
    end if;
    continue when promised.offered + waited_for <= promised.stock;

    remaining := promised.stock;
    lapsed := '{}';
    ${CLOSE_DUE};
    for held in
      select r.id, r.publication_id, r.agreement_id, r.account_id, r.quantity
        from publication o
        join reservation r on r.client_id = o.client_id and r.publication_id = o.id and r.status = 'ACTIVE'
       where o.client_id = promised.client_id and o.product_id = promised.id
       order by r.created_at, r.id
    loop
      if held.quantity <= remaining then
        remaining := remaining - held.quantity;
      else
        update reservation set status = 'EXPIRED', updated_at = moment
         where client_id = promised.client_id and id = held.id;
        update publication set reserved = reserved - held.quantity
         where client_id = promised.client_id and id = held.publication_id;
        update agreement set reserved = reserved - held.quantity
         where client_id = promised.client_id and id = held.agreement_id;
        lapsed := lapsed || jsonb_build_object(
          held.publication_id::text, coalesce((lapsed ->> held.publication_id::text)::int, 0) + 1);
        raise notice 'client %: reservation % of account %, % units of publication %, has lapsed: product % (%) has % units left, and older reservations come first',
          promised.client_id, held.id, held.account_id, held.quantity, held.publication_id, promised.id, promised.name,
          promised.stock using errcode = '${DECISION}';
      end if;
    end loop;

    remaining := remaining - least(remaining, waited_for);
    for offer in
      select id, name, stock, reserved, stock - reserved as available from publication
       where client_id = promised.client_id and product_id = promised.id
       order by status = 'PUBLISHED_ON_MARKETPLACE' desc, created_at, id
    loop
      kept := least(offer.available, remaining);
      remaining := remaining - kept;
      continue when kept = offer.available and lapsed ->> offer.id::text is null;
      update publication
         set stock = reserved + kept, units_added = units_added - (offer.available - kept), updated_at = moment
       where client_id = promised.client_id and id = offer.id;
      insert into audit_entry (client_id, id, created_at, actor_type, actor_name, operation, resource_type, resource_id, note,
                               before, after)
      values (promised.client_id, ${NEW_ID}, moment, 'COMMAND_LINE', 'upgrade',
              'PublicationAdminService.WithdrawPublicationStock', 'publication', offer.id::text,
              format('At the upgrade the product had %s units left for its publications and the rewards that wait. %s reservations have lapsed.',
                     promised.stock, coalesce(lapsed ->> offer.id::text, '0')),
              jsonb_build_object('stock', offer.stock), jsonb_build_object('stock', offer.reserved + kept));
      raise notice 'client %: publication % (%) has % units instead of %: product % (%) has % left',
        promised.client_id, offer.id, offer.name, offer.reserved + kept, offer.stock, promised.id, promised.name,
        promised.stock using errcode = '${DECISION}';
    end loop;
  end loop;
end
$$`;
