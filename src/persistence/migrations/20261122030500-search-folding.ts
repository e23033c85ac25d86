import { Migration } from '@mikro-orm/migrations';

/**
 * Search takes a sigma at the end of a word for any other sigma, and what else Unicode's simple case folding takes for one
 * letter. What it costs on a large table: docs/decisions/0017.
 */
export class SearchFolding extends Migration {
  override up(): void {
    // Nobody may write by the old rule while rows are looked through; reading goes on.
    this.addSql('lock table account in share row exclusive mode;');
    this.addSql(REPLACE_FOLDED);
    // Sessions keep the expression of an index with the function written out, until the index changes its name: other changes
    // of an index leave the session that makes them with the old expression.
    for (const index of ['account_name_search', 'account_email_search']) {
      this.addSql(`alter index ${index} rename to ${index}_renamed;`);
      this.addSql(`alter index ${index}_renamed rename to ${index};`);
    }
    // The policies of the tables apply to their owner as well; this role may see every client's rows.
    this.addSql('set local role laurel_system;');
    this.addSql(INDEX_ANEW);
    this.addSql('set local role none;');
  }
}

/** Lower case as before: see the first migration of the search. */
const LOWERED = `case when current_setting('server_version_num')::int >= 170000
      then 'lower(%1$s collate "pg_c_utf8")'
      else 'lower(%1$s collate "und-x-icu")'
    end`;

/** Letters that lower case leaves apart though they are one, and what they become. */
const APART = 'ςſµϐϑϕϖϰϱϵẛι';
const TOGETHER = 'σsμβθφπκρεṡι';

/** A capital İ is, by the library that lowers it, an i or an i with a dot above; both are an i here. */
const FOLDED = `replace(translate(%s, ''${APART}'', ''${TOGETHER}''), ''i'' || chr(775), ''i'')`;

const REPLACE_FOLDED = `do $$
begin
  execute format(
    'create or replace function folded(text) returns text language sql immutable strict parallel safe as %L',
    'select ' || format('${FOLDED}', format(${LOWERED}, '$1')));
end
$$;`;

/**
 * A row is written into an index anew only if its column changes, so the few rows whose text folds to something else are
 * changed and changed back. Indexing all rows anew would take minutes for millions of them, this takes reading them once.
 */
const INDEX_ANEW = `do $$
declare
  attribute text;
  apart text;
begin
  foreach attribute in array array['name', 'email'] loop
    apart := format('folded(%I) <> ', attribute) || format(${LOWERED}, attribute);
    execute format('update account set %1$I = %1$I || '' '' where ', attribute) || apart;
    execute format('update account set %1$I = left(%1$I, -1) where ', attribute) || apart;
  end loop;
end
$$;`;
