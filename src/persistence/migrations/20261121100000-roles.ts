import { Migration } from '@mikro-orm/migrations';

/**
 * The roles that units of work run under: `laurel_app` sees one client's rows, `laurel_system` all. They cannot log in;
 * the login that migrates may take them, and a different login for `serve` has to be granted them by hand.
 *
 * Roles belong to the cluster and not to the database, so that another database's migration may create them at the same
 * moment; whoever comes second takes what is there.
 */
export class Roles extends Migration {
  override up(): void {
    for (const role of ['laurel_app', 'laurel_system']) {
      this.addSql(createIfMissing(role));
      this.addSql(`grant usage on schema public to ${role};`);
      // Tables of later migrations get the same rights, as long as the same login migrates.
      this.addSql(
        `alter default privileges in schema public grant select, insert, update, delete on tables to ${role};`,
      );
    }
    this.addSql(`revoke all on table migration from laurel_app, laurel_system;`);
  }
}

function createIfMissing(role: string): string {
  return `do $$
declare
  -- Since PostgreSQL 16 a login may become a role without having its rights all the time. Before, a login that forgets to
  -- take a role sees what laurel_system sees, unless it is NOINHERIT.
  modern boolean := current_setting('server_version_num')::int >= 160000;
begin
  if not exists (select from pg_roles where rolname = '${role}') then
    begin
      create role ${role} nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  if not pg_has_role(current_user, '${role}', case when modern then 'SET' else 'MEMBER' end) then
    execute format('grant ${role} to %I', current_user) || case when modern then ' with inherit false' else '' end;
  end if;
end
$$;`;
}
