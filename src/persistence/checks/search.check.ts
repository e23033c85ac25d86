import { type Check, fault, type Finding, RESTORE_AGAIN } from './check.ts';

type Search = {
  readonly trigrams: boolean;
  readonly gin: boolean;
  readonly folded: boolean | null;
  readonly owner: string | null;
};

/** What the search of accounts is made of: extensions, a function, and a view that reads with the rights of its owner. */
export const searchCheck: Check = {
  name: 'search',
  after: ['migrations'],
  async run({ query }) {
    const [search] = await query<Search>(
      `select exists (select from pg_extension where extname = 'pg_trgm') as trigrams,
              exists (select from pg_extension where extname = 'btree_gin') as gin,
              to_regprocedure('public.folded(text)') is not null as folded,
              (select pg_get_userbyid(relowner)::text from pg_class
                where oid = to_regclass('public.account_search') and relkind = 'v') as owner`,
    );
    return {
      seen: 'The extensions pg_trgm and btree_gin, the function folded and the view account_search are there.',
      findings: findingsOf(search!),
    };
  },
};

function findingsOf({ trigrams, gin, folded, owner }: Search): Finding[] {
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
  if (owner === null) {
    findings.push(fault('There is no view account_search: listing accounts would fail.', RESTORE_AGAIN));
  } else if (owner !== 'laurel_system') {
    findings.push(
      fault(
        `The view account_search belongs to ${owner} and not to laurel_system, with whose rights it has to read: lists of accounts would be empty or fail.`,
        'As superuser, in this database: `alter view account_search owner to laurel_system`.',
      ),
    );
  }
  return findings;
}
