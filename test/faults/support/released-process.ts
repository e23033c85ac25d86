import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RELEASES } from '../../../src/persistence/migrating/own-migrations.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** An earlier release from the repository's history. */
export type Released = {
  /** The path of its `src/main.ts`, which starts like this release's. */
  readonly main: string;
  remove(): void;
};

/** A release from which tests upgrade. */
export type ReleasedVersion = (typeof RELEASES)[number]['version'];

/** The tag, or the commit if the tag was not fetched. */
const REVISIONS: Readonly<Record<ReleasedVersion, readonly string[]>> = {
  '0.1.0': ['v0.1.0', 'ab7a602'],
  '0.2.0': ['v0.2.0', '696d1be'],
};

/** The reason to skip a test, because the history lacks the release; undefined if it is present. */
export function missing(version: ReleasedVersion): string | undefined {
  if (revisionOf(version) !== undefined) return undefined;
  return `The history has neither ${REVISIONS[version].join(' nor ')}: fetch it with \`git fetch --unshallow --tags\`.`;
}

/** Unpacks the release into a temporary folder. It runs with the packages of this release, which include all of its packages. */
export function unpackRelease(version: ReleasedVersion): Released {
  const folder = mkdtempSync(join(tmpdir(), `laurel-${version}-`));
  const archive = execFileSync('git', ['archive', revisionOf(version)!, 'src', 'gen', 'package.json'], {
    cwd: ROOT,
    maxBuffer: 2 ** 30,
  });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  // The release serves the console's files from this folder, and looks for it at its start.
  mkdirSync(join(folder, 'dist/console'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    main: join(folder, 'src/main.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function revisionOf(version: ReleasedVersion): string | undefined {
  return REVISIONS[version].find(
    (revision) => spawnSync('git', ['cat-file', '-e', `${revision}^{commit}`], { cwd: ROOT }).status === 0,
  );
}
