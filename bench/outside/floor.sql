-- The same event as ../triggers/floor.sql, by hand, without a message for the webhook.
\set account random(1, 100000)
begin;
insert into operation (id, account) values (gen_random_uuid(), :account);
select mission, progress, target from assignment where account = :account and status = 'ACTIVE' for update;
update assignment set progress = progress + 1, updated_at = now() where account = :account and status = 'ACTIVE';
commit;
