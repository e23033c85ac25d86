import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Until the two indexes of the search are rebuilt, a search by part of a name or an address can miss letters whose folding has changed, such as ς.',
};

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

/** New indexes, since sessions keep the expression of an old one with the function written out. */
export const steps: readonly Step[] = [
  { sql: REPLACE_FOLDED },
  { reindex: 'account_name_search' },
  { reindex: 'account_email_search' },
];

/**
 * Search takes a sigma at the end of a word for any other sigma, and what else Unicode's simple case folding takes for one
 * letter. What it costs on a large table: docs/decisions/0017.
 */
export class SearchFolding extends Migration {
  override up(): void {
    // All of it is done in steps.
  }
}
