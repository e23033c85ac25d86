import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Until the two indexes of the search are rebuilt, a search by part of a name or an address can miss letters with accents. Until the hosts of the older release have stopped, their filters take é for e.',
};

/** The rule until now, which filters keep: see the migrations of the search before this one. */
const LOWERED = `case when current_setting('server_version_num')::int >= 170000
      then 'lower(%1$s collate "pg_c_utf8")'
      else 'lower(%1$s collate "und-x-icu")'
    end`;
const CASELESS = `replace(translate(%s, ''ςſµϐϑϕϖϰϱϵẛι'', ''σsμβθφπκρεṡι''), ''i'' || chr(775), ''i'')`;

/** Accents and other marks that Unicode knows apart from their letters, as the languages of Europe and Vietnam have them. */
const MARKS = [
  ...[768, 769, 770, 771, 772, 774, 775, 776, 777, 778, 779, 780, 783, 785],
  ...[795, 803, 806, 807, 808, 817],
];

/** Letters with a stroke, which Unicode does not take apart, then the marks, which have no letter and so go. */
const PLAIN = `normalize(translate(normalize(%s, NFD), ''øłđ'' || ${MARKS.map((mark) => `chr(${mark})`).join(' || ')}, ''old''), NFC)`;

/** Only a database in UTF-8 can take letters apart; in another one accents go on to count. */
const CREATE = `do $$
declare
  caseless text := format('${CASELESS}', format(${LOWERED}, '$1'));
begin
  execute format('create or replace function caseless(text) returns text language sql immutable strict parallel safe as %L',
    'select ' || caseless);
  execute format('create or replace function folded(text) returns text language sql immutable strict parallel safe as %L',
    'select ' || case when getdatabaseencoding() = 'UTF8' then format('${PLAIN}', caseless) else caseless end);
end
$$;`;

/** New indexes, since sessions keep the expression of an old one with the function written out. */
export const steps: readonly Step[] = [
  { sql: CREATE },
  { reindex: 'account_name_search' },
  { reindex: 'account_email_search' },
];

/** The search takes a letter with an accent for the letter. Filters do not, because the interface says how they compare. */
export class SearchAccents extends Migration {
  override up(): void {
    // All of it is done in steps.
  }
}
