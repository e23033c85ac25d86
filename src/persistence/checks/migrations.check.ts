import { ownMigrations } from '../migrating/own-migrations.ts';
import { type Check, fault, abbreviated, type Finding, warning } from './check.ts';

/** Compares the migrations of this release with those of the database. */
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
    // A database that was migrated by 0.1.0 has no such column.
    const applied = await query<Applied>(
      `select name, (to_jsonb(m) ->> 'rolling')::boolean as rolling from public.migration m`,
    );
    const own = await ownMigrations();
    return {
      seen: `${own.length} migrations, the last is ${own.at(-1)}.`,
      findings: compare(own, applied),
    };
  },
};

/** A migration of the database, and whether the release before it may serve beside it. */
type Applied = { readonly name: string; readonly rolling: boolean | null };

function compare(own: readonly string[], applied: readonly Applied[]): Finding[] {
  const names = applied.map(({ name }) => name);
  const pending = own.filter((name) => !names.includes(name));
  const unknown = applied.filter(({ name }) => !own.includes(name));
  const findings: Finding[] = [];
  if (unknown.length > 0) findings.push(ofNewerRelease(unknown));
  if (pending.length > 0) {
    findings.push(
      fault(
        `The database lacks ${pending.length} migration(s): ${abbreviated(pending)}.`,
        'Run `npm run laurel -- migrate`, or start with --migrate. After a restore this means that the backup is of an older release; migrating it loses nothing.',
      ),
    );
  }
  return findings;
}

function ofNewerRelease(unknown: readonly Applied[]): Finding {
  const problem = (names: readonly string[]) =>
    `The database belongs to a newer release: this one does not know the migration(s) ${abbreviated(names)}.`;
  const forbidding = unknown.filter(({ rolling }) => rolling !== true).map(({ name }) => name);
  if (forbidding.length === 0) {
    return warning(
      `${problem(unknown.map(({ name }) => name))} The newer release says that older ones may serve it.`,
      'Nothing, while you roll that release out or go back from it: docs/upgrading.md.',
    );
  }
  return {
    // A rollout of a newer release begins with its migrations, while the older release still serves.
    severity: 'fault at start',
    problem: problem(forbidding),
    remedy: 'Start the release that the database comes from, or a later one.',
  };
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
