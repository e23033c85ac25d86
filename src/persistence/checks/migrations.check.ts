import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, fault, few, type Finding } from './check.ts';

/** The migrations of this release and those that the database has had. */
export const migrationsCheck: Check = {
  name: 'migrations',
  async run({ query }) {
    const [list] = await query<{ database: string; login: string; exists: boolean; readable: boolean | null }>(
      `select current_database() as database, current_user as login, t.oid is not null as exists,
              has_table_privilege(t.oid, 'select') and has_schema_privilege('public', 'usage') as readable
         from (select 1) as one left join pg_class t
           on t.relname = 'migration' and t.relnamespace = (select oid from pg_namespace where nspname = 'public')`,
    );
    const { database, login, exists, readable } = list!;
    if (!exists) return { seen: '', findings: [noLaurel(database)] };
    if (!readable) return { seen: '', findings: [unreadable(login)] };
    const applied = (await query<{ name: string }>('select name from public.migration')).map(({ name }) => name);
    const own = await migrationsOfThisRelease();
    return {
      seen: `${own.length} migrations, the last is ${own.at(-1)}.`,
      findings: compare(own, applied),
    };
  },
};

/** By name, the oldest first. */
async function migrationsOfThisRelease(): Promise<string[]> {
  const files = await readdir(join(import.meta.dirname, '../migrations'));
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

function compare(own: readonly string[], applied: readonly string[]): Finding[] {
  const pending = own.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !own.includes(name));
  const findings: Finding[] = [];
  if (unknown.length > 0) {
    findings.push({
      // Anyone who rolls a newer release out migrates first, while the older one still serves.
      severity: 'fault at start',
      problem: `The database belongs to a newer release: this one does not know the migration(s) ${few(unknown)}.`,
      remedy: 'Start the release that the database comes from, or a later one.',
    });
  }
  if (pending.length > 0) {
    findings.push(
      fault(
        `The database lacks ${pending.length} migration(s): ${few(pending)}.`,
        'Run `npm run laurel -- migrate`, or start with --migrate. After a restore this means that the backup is of an older release; migrating it loses nothing.',
      ),
    );
  }
  return findings;
}

function noLaurel(database: string): Finding {
  return fault(
    `The database ${database} holds no Laurel: it has no table \`migration\`.`,
    'If it is meant to be new, run `npm run laurel -- migrate`, or start with --migrate. If it should hold your data, DATABASE_URL names another database than the one that was restored, or the restore failed.',
  );
}

function unreadable(login: string): Finding {
  return fault(
    `The login ${login} may not read the table \`migration\`, so that nobody can tell which release the database is of.`,
    `Run \`npm run laurel -- roles --login ${login}\` with the DATABASE_URL of the login that migrates.`,
  );
}
