import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Events that hosts of 0.1.0 apply are not in the journal.',
};

const OWN = `client_id = nullif(current_setting('laurel.client_id', true), '')::uuid`;

/** What keeps clients apart, of a table whose name is the SQL format `%1$s`: of the whole and of each day, for it may be read itself. */
const SECURED = [
  'alter table %1$s enable row level security',
  'alter table %1$s force row level security',
  `create policy own_client on %1$s to laurel_app using (${OWN}) with check (${OWN})`,
  'create policy every_client on %1$s to laurel_system using (true) with check (true)',
  // Planned for the largest client, as all tables are: docs/decisions/0046.
  'alter table %1$s alter column client_id set (n_distinct = 1)',
];

/** What became of each event, in a partition for each day: docs/decisions/0067. */
export class Journal extends Migration {
  override up(): void {
    this.addSql(`create table "journal_batch" (
      "client_id" uuid not null,
      "recorded_at" timestamptz(3) not null,
      "id" uuid not null,
      "account_ids" uuid[] not null,
      "programmatic_codes" text[] collate "C" not null,
      "effects" smallint[] not null,
      "operation_hashes" int[] not null,
      "entries" json not null,
      primary key ("client_id", "recorded_at", "id")
    ) partition by range ("recorded_at");`);
    // Written at once: a list of what is to be indexed later is emptied by some event that then waits for it.
    this
      .addSql(`create index "journal_batch_search" on "journal_batch" using gin ("account_ids", "programmatic_codes", "effects", "operation_hashes")
      with (fastupdate = off);`);
    // For moments whose day has no partition: an event never fails for want of one.
    this.addSql(`create table "journal_batch_rest" partition of "journal_batch" default;`);
    for (const table of ['journal_batch', 'journal_batch_rest'])
      for (const sql of SECURED) this.addSql(`${sql.replaceAll('%1$s', table)};`);
    this.addSql(KEEP_PARTITIONS);
    // Reads with its owner's policies, so that the index of what batches contain can be used: docs/decisions/0002.
    this.addSql(`create view journal_search as
      select recorded_at, id, client_id, account_ids, programmatic_codes, effects, operation_hashes from journal_batch
       where client_id = nullif(current_setting('laurel.client_id', true), '')::uuid;`);
    this.addSql('revoke insert, update, delete on journal_search from laurel_app;');
    this.addSql('grant create on schema public to laurel_system;');
    this.addSql('alter view journal_search owner to laurel_system;');
    this.addSql('revoke create on schema public from laurel_system;');
    // It runs as the owner of the tables, so that a login which owns none can have days added and dropped: housekeeping alone.
    this.addSql(`revoke all on function keep_journal_partitions(int, int) from public;`);
    this.addSql(`grant execute on function keep_journal_partitions(int, int) to laurel_system;`);
    this.addSql(`select keep_journal_partitions(7, 7);`);
  }
}

/**
 * Adds the partitions from today to `ahead_days` from now, and drops those that were over `keep_days` before today; days of
 * UTC. Gives how many. A day that has rows in the default partition stays there; one whose table is in use waits for the next
 * time. A table is made first and attached then, which holds up no writer of other days; dropping holds up all, for half a
 * second at most. The owner, whom the policies bind, sees no row: it need not.
 */
const KEEP_PARTITIONS = `create function keep_journal_partitions(keep_days int, ahead_days int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '500ms' as $function$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
  part text;
  secured text;
  changed int := 0;
begin
  if keep_days < 0 or ahead_days not between 0 and 60 then
    raise 'keep_days is 0 or more, ahead_days 0 to 60' using errcode = 'invalid_parameter_value';
  end if;
  -- Another process does the same.
  if not pg_try_advisory_xact_lock(hashtextextended('laurel journal partitions', 0)) then return 0; end if;
  for day in select today + ahead from generate_series(0, ahead_days) as ahead loop
    part := 'public.journal_batch_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(part) is not null;
    begin
      execute format('create table %s (like public.journal_batch including indexes)', part);
      execute format('grant select, insert, update, delete on %s to laurel_app, laurel_system', part);
      foreach secured in array array[${SECURED.map((sql) => `$sql$${sql}$sql$`).join(', ')}] loop
        execute format(secured, part);
      end loop;
      execute format('alter table public.journal_batch attach partition %s for values from (%L) to (%L)',
                     part, day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
      changed := changed + 1;
    exception when check_violation or lock_not_available then null;
    end;
  end loop;
  for part in
    select format('%I.%I', n.nspname, c.relname)
      from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
     where i.inhparent = 'public.journal_batch'::regclass and c.relname ~ '^journal_batch_[0-9]{8}$'
       and c.relname < 'journal_batch_' || to_char(today - keep_days, 'YYYYMMDD')
     order by c.relname
  loop
    begin
      execute format('drop table %s', part);
      changed := changed + 1;
    exception when lock_not_available then null;
    end;
  end loop;
  return changed;
end
$function$;`;
