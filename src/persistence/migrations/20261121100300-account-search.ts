import { Migration } from '@mikro-orm/migrations';

/** Lists of accounts: by page, and by part of a name or an e-mail address. Why it looks like this: docs/decisions/0002. */
export class AccountSearch extends Migration {
  override up(): void {
    // Both are "trusted": a login that may create in this database may create them.
    this.addSql('create extension if not exists pg_trgm;');
    this.addSql('create extension if not exists btree_gin;');
    this.addSql(CREATE_FOLDED);
    this.addSql('create index account_list on account (client_id, created_at, id) include (deleted_at);');
    for (const column of ['name', 'email']) {
      this.addSql(
        `create index account_${column}_search on account using gin (client_id, folded(${column}) gin_trgm_ops);`,
      );
    }
    this.addSql(`create view account_search as
      select * from account where client_id = nullif(current_setting('laurel.client_id', true), '')::uuid;`);
    this.addSql('revoke insert, update, delete on account_search from laurel_app;');
    // The view reads with the rights of its owner, and an owner must be allowed to create where the view lies.
    this.addSql('grant create on schema public to laurel_system;');
    this.addSql('alter view account_search owner to laurel_system;');
    this.addSql('revoke create on schema public from laurel_system;');
  }
}

/**
 * Letters without their case, in all scripts, whatever the locale of the database. `pg_c_utf8` came with PostgreSQL 17; the
 * other one differs from it in a handful of letters, such as the Greek sigma at the end of a word.
 */
const CREATE_FOLDED = `do $$
begin
  execute format(
    'create function folded(text) returns text language sql immutable strict parallel safe as %L',
    case when current_setting('server_version_num')::int >= 170000
      then 'select lower($1 collate "pg_c_utf8")'
      else 'select lower($1 collate "und-x-icu")'
    end);
end
$$;`;
