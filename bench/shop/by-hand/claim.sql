-- A completed campaign claimed, as a team would write it by hand: notes the operation with its answer, locks the account,
-- closes the completion, and credits its points. Without HTTP, authentication, checks of the request or a webhook, which
-- nobody listens to here. Words in braces are filled in by by-hand.ts.
begin;
insert into operation (client_id, id, scope, fingerprint, response, created_at)
values ({client}, gen_random_uuid()::text, 'claim', sha256(uuid_send(gen_random_uuid())), {answer}, now())
returning id as operation, nextval('bench_number') as number \gset
\set campaign 1 + :number / {accounts}
select id, email from account where client_id = {client} and id = {owner} and deleted_at is null for no key update;
select completed_at, closed_at from campaign_completion
 where client_id = {client} and account_id = {owner} and campaign_id = ({ids})[:campaign];
update campaign_completion set closed_at = now()
 where client_id = {client} and account_id = {owner} and campaign_id = ({ids})[:campaign] and closed_at is null;
with earned as (
  insert into earned_reward (client_id, id, account_id, reward_id, reward_type, amount, status, campaign_id, webhook_context,
                             created_at, delivered_at)
  values ({client}, uuidv7(), {owner}, {reward}, 'POINTS', {amount}, 'DELIVERED', ({ids})[:campaign], {context}, now(), now())
  returning id
), credited as (
  update point_balance set available = available + {amount}, lifetime_earned = lifetime_earned + {amount},
         last_entry_at = greatest(now(), last_entry_at + interval '1 microsecond')
   where client_id = {client} and account_id = {owner}
  returning available, last_entry_at
), entered as (
  insert into point_entry (client_id, id, account_id, type, amount, balance_after, source_type, source_id, operation_id, created_at)
  select {client}, uuidv7(), {owner}, 'EARN', {amount}, credited.available, 'EARNED_REWARD', earned.id::text,
         :operation::text, credited.last_entry_at
    from earned, credited
  returning id
)
insert into point_lot (client_id, id, account_id, amount, remaining, created_at)
select {client}, id, {owner}, {amount}, {amount}, now() from entered;
commit;
