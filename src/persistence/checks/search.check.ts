import { type Check, fault, type Finding, RESTORE_AGAIN } from './check.ts';

/** Views with the rights of their owner, because a policy prevents the use of an index that is not leakproof. */
export const SEARCH_VIEWS = ['account_search', 'journal_search'] as const;

type Search = {
  readonly trigrams: boolean;
  readonly gin: boolean;
  readonly folded: boolean | null;
  readonly caseless: boolean | null;
  /** The owner of each view by its name; null for a missing view. */
  readonly owners: Readonly<Record<(typeof SEARCH_VIEWS)[number], string | null>>;
};

/** The parts of searches: extensions, a function, and views with the privileges of their owner. */
export const searchCheck: Check = {
  name: 'search',
  after: ['migrations'],
  async run({ query }) {
    const [search] = await query<Search>(
      `select exists (select from pg_extension where extname = 'pg_trgm') as trigrams,
              exists (select from pg_extension where extname = 'btree_gin') as gin,
              to_regprocedure('public.folded(text)') is not null as folded,
              to_regprocedure('public.caseless(text)') is not null as caseless,
              (select json_object_agg(view, pg_get_userbyid(c.relowner)::text)
                 from unnest($1::text[]) as view
                 left join pg_class c on c.oid = to_regclass('public.' || view) and c.relkind = 'v') as owners`,
      [SEARCH_VIEWS],
    );
    return {
      seen: 'The extensions pg_trgm and btree_gin, the functions folded and caseless and the views account_search and journal_search are there.',
      findings: findingsOf(search!),
    };
  },
};

function findingsOf({ trigrams, gin, folded, caseless, owners }: Search): Finding[] {
  const findings: Finding[] = [];
  for (const [name, there] of [
    ['pg_trgm', trigrams],
    ['btree_gin', gin],
  ] as const) {
    if (there) continue;
    findings.push(
      fault(
        `The extension ${name} is missing, and with it the indexes by which accounts are found.`,
        `Install PostgreSQL's contrib package on the server if \`create extension ${name}\` fails, and restore again: the extension alone brings no index back.`,
      ),
    );
  }
  if (!folded) findings.push(fault('There is no function folded(text): searching accounts would fail.', RESTORE_AGAIN));
  if (!caseless)
    findings.push(fault('There is no function caseless(text): filters by text would fail.', RESTORE_AGAIN));
  for (const view of SEARCH_VIEWS) {
    const owner = owners[view];
    if (owner === null) {
      findings.push(fault(`There is no view ${view}: lists that read it would fail.`, RESTORE_AGAIN));
    } else if (owner !== 'laurel_system') {
      findings.push(
        fault(
          `The view ${view} belongs to ${owner} and not to laurel_system, with whose rights it has to read: lists would be empty or fail.`,
          `As superuser, in this database: \`alter view ${view} owner to laurel_system\`.`,
        ),
      );
    }
  }
  return findings;
}
