import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Declared } from './step.ts';

const FOLDER = join(import.meta.dirname, '../migrations');

/**
 * The last migration of each release, the oldest first: the schema of its databases. `test/fixtures/v<version>` has the other facts of a
 * release.
 */
export const RELEASES = [
  { version: '0.1.0', last: '20261121145017-csv-imports' },
  { version: '0.2.0', last: '20261124024704-required-second-factor' },
] as const;

/** The latest release, from which callers, operators and databases usually upgrade. */
export const LAST_RELEASE = RELEASES.at(-1)!;

/** The migrations of this release by name, the oldest first. */
export async function ownMigrations(): Promise<string[]> {
  const files = await readdir(FOLDER);
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

/** The declarations of a migration of this release. */
export async function declaredBy(name: string): Promise<Declared> {
  return (await import(join(FOLDER, `${name}.ts`))) as Declared;
}

/** The name of the release that brought a migration; undefined for an unreleased one. */
export function releaseOf(name: string): string | undefined {
  return RELEASES.find(({ last }) => name <= last)?.version;
}
