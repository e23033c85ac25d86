import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

export const steps: readonly Step[] = [
  { sql: 'alter table "journal_batch" add column if not exists "mission_ids" uuid[]' },
];

/**
 * The journal costs events less: each batch names its missions once, and what it is searched by is indexed in bulk
 * (docs/decisions/0067).
 */
export class LighterJournal extends Migration {
  override up(): void {
    this.addSql(TIDY_SEARCH);
    // Of each day by itself, with the rights of the tables' owner, as days are added.
    this.addSql(`revoke all on function tidy_journal_search(int) from public;`);
    this.addSql(`grant execute on function tidy_journal_search(int) to laurel_system;`);
    this.addSql(`select tidy_journal_search(8192);`);
  }
}

/**
 * Has the index of each day take what is added to a list of `list_kb` at most, and brings what is in the lists of yesterday, today
 * and tomorrow to its place. Gives how many indexes had no such list. A setting of the whole index would reach none of its parts.
 * An index that is in use waits for the next time to be set; bringing things to their place holds up nobody. On several nodes there
 * are no lists: nobody would empty those of the nodes but an event.
 */
const TIDY_SEARCH = `create function tidy_journal_search(list_kb int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '500ms' as $function$
declare
  today date := (now() at time zone 'UTC')::date;
  part regclass;
  on_nodes boolean := coalesce(current_setting('laurel.distributed', true), '') = 'on';
  wanted text[] := case when on_nodes then array['fastupdate=off']
                        else array['fastupdate=on', 'gin_pending_list_limit=' || list_kb] end;
  changed int := 0;
begin
  -- Another process does the same.
  if not pg_try_advisory_xact_lock(hashtextextended('laurel journal search', 0)) then return 0; end if;
  for part in
    select c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.journal_batch_search'::regclass and not coalesce(c.reloptions @> wanted, false)
     order by c.relname
  loop
    begin
      execute format('alter index %s set (%s)', part, array_to_string(wanted, ', '));
      changed := changed + 1;
    exception when lock_not_available then null;
    end;
  end loop;
  -- What has been set is locked until the end.
  if changed > 0 or on_nodes then return changed; end if;
  for part in
    select i.inhrelid from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid join pg_class t on t.oid = x.indrelid
     where i.inhparent = 'public.journal_batch_search'::regclass
       and (t.relname = 'journal_batch_rest'
            or t.relname between 'journal_batch_' || to_char(today - 1, 'YYYYMMDD') and 'journal_batch_' || to_char(today + 1, 'YYYYMMDD'))
  loop
    perform gin_clean_pending_list(part);
  end loop;
  return 0;
end
$function$;`;
