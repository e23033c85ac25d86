-- A product bought for points as a team would write it by hand: notes the operation with its answer, locks buyer and product,
-- looks whether it can be, takes the points and the unit. Without HTTP, authentication or checks of the request. Words in braces are
-- filled in by by-hand.ts.
\set account random(0, {accounts} - 1)
\set product random(1, {count})
begin;
insert into operation (client_id, id, scope, fingerprint, response, created_at)
values ({client}, gen_random_uuid()::text, 'RedeemProduct', sha256(uuid_send(gen_random_uuid())), {answer}, now())
returning id as operation \gset
select id, email from account
 where client_id = {client} and id = {account} and deleted_at is null for no key update;
select id as product_id, name as product_name, points_cost as price, stock - allocated as free, waiting from product
 where client_id = {client} and id = ({ids})[:product] for no key update \gset
with open as (
  select id, remaining, sum(remaining) over (order by expires_at nulls last, id) - remaining as before
    from point_lot where client_id = {client} and account_id = {account} and remaining > 0
)
update point_lot l set remaining = l.remaining - least(o.remaining, :price::numeric - o.before)
  from open o where l.client_id = {client} and l.id = o.id and o.before < :price::numeric;
with paid as (
  update point_balance set available = available - :price::numeric, spent = spent + :price::numeric,
         last_entry_at = greatest(now(), last_entry_at + interval '1 microsecond')
   where client_id = {client} and account_id = {account}
  returning available, last_entry_at
), redeemed as (
  insert into redemption (client_id, id, account_id, product_id, product_name, source, quantity, points_spent, status,
                          redeemables, created_at)
  values ({client}, uuidv7(), {account}, :product_id::uuid, :product_name, 'LOYALTY', 1, :price::numeric, 'COMPLETED', '[]',
          now())
  returning id
)
insert into point_entry (client_id, id, account_id, type, amount, balance_after, source_type, source_id, operation_id, created_at)
select {client}, uuidv7(), {account}, 'SPEND', -:price::numeric, paid.available, 'REDEMPTION', redeemed.id::text,
       :operation::text, paid.last_entry_at
  from paid, redeemed;
update product set stock = stock - 1, updated_at = now() where client_id = {client} and id = :product_id::uuid;
commit;
