-- One event as a team would write it by hand, and no more than that: a transaction that notes the operation, locks the
-- assignment, moves it, and leaves a message for the webhook. Without HTTP, authentication, rules or an answer.
\set account random(1, 100000)
begin;
insert into operation (id, account) values (gen_random_uuid(), :account);
select mission, progress, target from assignment where account = :account and status = 'ACTIVE' for update;
update assignment set progress = progress + 1, updated_at = now() where account = :account and status = 'ACTIVE';
insert into outbox (account, body) values (:account, '{"type":"progress"}');
commit;
