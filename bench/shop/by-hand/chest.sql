-- A chest opened as a team would write it by hand: notes the operation with its answer, locks the account, reads the odds,
-- stores the draw and credits its points. Without HTTP, authentication or checks of the request. Words in braces are filled in by
-- by-hand.ts.
\set drawn random(1, {count})
begin;
insert into operation (client_id, id, scope, fingerprint, response, created_at)
values ({client}, gen_random_uuid()::text, 'OpenChest', sha256(uuid_send(gen_random_uuid())), {answer}, now())
returning id as operation, nextval('bench_number') as number \gset
select id, email from account where client_id = {client} and id = {owner} and deleted_at is null for no key update;
select c.opened_at, d.entries, d.total_weight
  from chest c join chest_definition d on d.client_id = c.client_id and d.id = c.chest_id
 where c.client_id = {client} and c.id = {chest} and c.account_id = {owner};
update chest set opened_at = now(), roll = ({rolls})[:drawn] where client_id = {client} and id = {chest} and opened_at is null;
with earned as (
  insert into earned_reward (client_id, id, account_id, reward_id, reward_type, amount, status, created_at, delivered_at)
  values ({client}, uuidv7(), {owner}, ({ids})[:drawn], 'POINTS', ({amounts})[:drawn], 'DELIVERED', now(), now())
  returning id, amount
), credited as (
  update point_balance b set available = b.available + earned.amount, lifetime_earned = b.lifetime_earned + earned.amount,
         last_entry_at = greatest(now(), b.last_entry_at + interval '1 microsecond')
    from earned where b.client_id = {client} and b.account_id = {owner}
  returning b.available, b.last_entry_at
), entered as (
  insert into point_entry (client_id, id, account_id, type, amount, balance_after, source_type, source_id, operation_id, created_at)
  select {client}, uuidv7(), {owner}, 'EARN', earned.amount, credited.available, 'EARNED_REWARD', earned.id::text,
         :operation::text, credited.last_entry_at
    from earned, credited
  returning id, amount
)
insert into point_lot (client_id, id, account_id, amount, remaining, created_at)
select {client}, id, {owner}, amount, amount, now() from entered;
commit;
