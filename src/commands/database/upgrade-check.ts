import type { Config } from '../../app/config.ts';
import { PINNED_WITHOUT_TIMEOUTS } from '../../persistence/connections/pinned-settings.ts';
import { declaredBy, ownMigrations, RELEASES, releaseOf } from '../../persistence/migrating/own-migrations.ts';
import type { Compatibility } from '../../persistence/migrating/step.ts';
import { type Client, connectClient } from '../../persistence/driver/driver.ts';
import { locateDatabase } from './open-service-database.ts';

/** The exit statuses, as in Keycloak's `update-compatibility`, so that the same scripts work. */
const STOP_FIRST = 3;

/** The most lines that list obstacles. */
const NAMED_MAX = 50;

/** The result of checking the upgrade from the serving release to this one. */
export type UpgradeVerdict = {
  /** Whether hosts of both releases may serve the database together. */
  readonly rolling: boolean;
  /** For an operator, one line each. */
  readonly lines: readonly string[];
};

/**
 * `laurel upgrade-check`: prints whether hosts of the serving release may run beside hosts of this one, or which obstacles prevent it. It
 * changes nothing. Exits 0 if they may, 3 if they must stop first, and 1 if the check fails.
 */
export async function upgradeCheck(config: Config): Promise<void> {
  const located = await locateDatabase(config);
  try {
    const { rolling, lines } = await checkUpgrade(located.url);
    console.log(lines.join('\n'));
    if (!rolling) process.exitCode = STOP_FIRST;
  } finally {
    await located.close();
  }
}

/**
 * Checks the database at `url`.
 * @throws Error if it is unreachable or contains no Laurel
 */
export async function checkUpgrade(url: string): Promise<UpgradeVerdict> {
  const client = await connectClient({ url, name: 'laurel upgrade-check' });
  try {
    const applied = await appliedTo(client);
    const own = await ownMigrations();
    const unknown = applied.filter(({ name }) => !own.includes(name));
    if (unknown.length > 0) return goingBack(unknown);
    const names = new Set(applied.map(({ name }) => name));
    const before = RELEASES.findLast(({ last }) => names.has(last) && last !== own.at(-1));
    if (!before)
      throw new Error('The database is of no release that this one knows: its migrations stop before those of 0.1.0.');
    return await forward(client, { version: before.version, names, own: own.filter((name) => name > before.last) });
  } finally {
    await client.end();
  }
}

type Applied = { readonly name: string; readonly rolling: boolean | null };

async function appliedTo(client: Client): Promise<Applied[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.migration') is not null as exists`,
  );
  if (!rows[0]!.exists) {
    throw new Error(
      'The database holds no Laurel: it has no table `migration`. Nothing serves it, so start with --migrate.',
    );
  }
  // Databases of 0.1.0 have no such column.
  const sql = `select name, (to_jsonb(m) ->> 'rolling')::boolean as rolling from public.migration m order by name`;
  return (await client.query<Applied>(sql)).rows;
}

function goingBack(unknown: readonly Applied[]): UpgradeVerdict {
  const forbidding = unknown.filter(({ rolling }) => rolling !== true);
  const lines = forbidding.map(({ name }) => `STOP  ${name}`);
  return forbidding.length === 0
    ? {
        rolling: true,
        lines: ['A newer release has migrated the database, and says that this one may serve it as well.'],
      }
    : {
        rolling: false,
        lines: [
          ...lines,
          'A newer release has migrated the database, and this one cannot serve it beside or after it: docs/upgrading.md of the newer tells how to go back.',
        ],
      };
}

type Way = { readonly version: string; readonly names: ReadonlySet<string>; readonly own: readonly string[] };

async function forward(client: Client, { version, names, own }: Way): Promise<UpgradeVerdict> {
  const lines: string[] = [];
  const inTheWay = new Set<string>();
  const active = new Set<string>();
  const inactive = new Set<string>();
  let rolling = true;
  for (const name of own) {
    const { compatibility } = await declaredBy(name);
    const misjudged = names.has(name) ? await misjudgedBy(client, compatibility) : [];
    for (const each of misjudged) (each.active ? active : inactive).add(each.words);
    const [mark, words] = await verdictOn(client, compatibility, misjudged);
    if (mark === 'STOP') {
      rolling = false;
      // Several migrations may name the same obstacle.
      for (const each of await namedInTheWay(client, compatibility)) inTheWay.add(each);
    }
    if (words !== undefined) lines.push(`${mark.padEnd(6)}${name}\n      ${words}`);
  }
  if (inTheWay.size > 0) lines.push(...shown('In the way:', [...inTheWay]));
  if (active.size > 0) lines.push(...shown(`In use, and treated wrongly by hosts of ${version}:`, [...active]));
  if (inactive.size > 0) {
    const words = `Not in use yet, and treated wrongly by hosts of ${version}: activate, address or give none before the last of them has stopped.`;
    lines.push(...shown(words, [...inactive]));
  }
  const pending = own.filter((name) => !names.has(name)).length;
  lines.push(
    pending === 0
      ? `The database has the migrations of this release.`
      : `${pending} ${pending === 1 ? 'migration is' : 'migrations are'} to be applied.`,
    rolling
      ? `A rolling update is possible: hosts of ${version} may serve the database beside those of this release, and again if you go back.`
      : pending === 0
        ? `Hosts of ${version} and of this release may not serve it together: before you start one of ${version}, stop every host of this release.`
        : `A rolling update is not possible: stop every host of ${version}, run \`laurel migrate\`, then start this release. The same the other way round.`,
  );
  return { rolling, lines };
}

async function verdictOn(
  client: Client,
  compatibility: Compatibility | undefined,
  misjudged: readonly MisjudgedDefinition[],
): Promise<readonly [mark: 'STOP' | 'note', words?: string | undefined]> {
  if (!compatibility) return ['STOP', 'It does not declare whether an older release may serve beside it.'];
  if (compatibility.rolling) return [misjudged.some(({ active }) => active) ? 'STOP' : 'note', compatibility.note];
  const { reason, onlyIf, otherwise } = compatibility;
  if (onlyIf === undefined || (await holds(client, onlyIf))) return ['STOP', reason];
  return ['note', otherwise];
}

async function holds(client: Client, condition: string): Promise<boolean> {
  const [row] = await ofEveryClient<{ holds: boolean }>(client, `select ${condition} as holds`);
  return row!.holds;
}

/** A definition that hosts of the older release treat wrongly. */
type MisjudgedDefinition = { readonly words: string; readonly active: boolean };

async function misjudgedBy(
  client: Client,
  compatibility: Compatibility | undefined,
): Promise<readonly MisjudgedDefinition[]> {
  if (!compatibility?.rolling || compatibility.misjudged === undefined) return [];
  return ofEveryClient<MisjudgedDefinition>(client, compatibility.misjudged, [new Date()]);
}

/** The named obstacles to rolling out a migration. */
async function namedInTheWay(client: Client, compatibility: Compatibility | undefined): Promise<string[]> {
  if (!compatibility || compatibility.rolling || compatibility.inTheWay === undefined) return [];
  const rows = await ofEveryClient<{ words: string }>(client, compatibility.inTheWay);
  return rows.map(({ words }) => words);
}

function shown(heading: string, all: readonly string[]): string[] {
  const named = all.slice(0, NAMED_MAX).map((words) => `      ${words}`);
  const rest = all.length - named.length;
  return [heading, ...named, ...(rest > 0 ? [`      and ${rest} more`] : [])];
}

/** The rows of all clients. */
async function ofEveryClient<Row extends object>(
  client: Client,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  await client.query('begin read only');
  try {
    await client.query(`select ${PINNED_WITHOUT_TIMEOUTS}`);
    await client.query('set local role laurel_system');
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.query('rollback');
  }
}

/**
 * The declarations of all migrations since the first release, with their releases, as docs/upgrading.md prints them.
 */
export async function compatibilityTable(): Promise<string> {
  const rows: string[] = [];
  for (const name of (await ownMigrations()).filter((each) => each > RELEASES[0].last)) {
    const { compatibility } = await declaredBy(name);
    rows.push(`| \`${name.replace(/^\d+-/, '')}\` | ${releaseOf(name) ?? 'the next'} | ${inTable(compatibility)} |`);
  }
  return ['| Migration | Release | Together? | What to know |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function inTable(compatibility: Compatibility | undefined): string {
  if (!compatibility) return 'no |';
  if (compatibility.rolling) {
    const { note = '', misjudged } = compatibility;
    return `${misjudged === undefined ? 'yes' : 'unless in use'} | ${note}`;
  }
  const { reason, onlyIf, otherwise = '' } = compatibility;
  if (onlyIf === undefined) return `no | ${reason}`;
  return `unless \`${onlyIf}\` | ${reason} ${otherwise}`;
}
