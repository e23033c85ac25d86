// `npm run release -- <version> <folder>`: a release in two runs. The first writes the version and the section of the changelog, and says what
// people do next; commit that. The second checks it, writes the archives into the folder, and sets the tag. It pushes nothing.
// `--no-tag` leaves the tag out, as a trial; CONTRIBUTING.md, "Releasing".
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeArchives } from './archives.ts';
import { releasedChangelog, sectionOf } from './changelog.ts';
import { setVersion, versionsIn } from './versions.ts';

const root = join(import.meta.dirname, '../..');
try {
  release();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function release(): void {
  const options = { 'no-tag': { type: 'boolean' }, date: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [version = '', folder] = positionals;
  if (!/^\d+\.\d+\.\d+$/.test(version) || folder === undefined) {
    throw new Error('Name the version and a folder: npm run release -- 0.3.0 /tmp/laurel-0.3.0');
  }
  const present = versionsIn(root);
  if (present.length > 1 || present[0] !== version) return prepare(version, values.date ?? today());
  publish(version, resolve(folder), values['no-tag'] === true);
}

/** The first run. */
function prepare(version: string, date: string): void {
  const changelog = join(root, 'CHANGELOG.md');
  writeFileSync(changelog, releasedChangelog(readFileSync(changelog, 'utf8'), version, date));
  setVersion(root, version);
  execFileSync('npm', ['run', '--silent', 'generate'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`The version is ${version} now. Next:

1. Run \`DATABASE_URL=... node .ci/release/fixture.ts\` on the oldest supported PostgreSQL.
2. Add the release to RELEASES in src/persistence/migrating/own-migrations.ts and to test/faults/support/released-process.ts, and run
   \`node .ci/check-migrations.ts --write\`.
3. Run \`.ci/run\`, commit everything, and run this command again.`);
}

/** The second run. */
function publish(version: string, folder: string, isTrial: boolean): void {
  const tag = `v${version}`;
  const faults = [
    ...(sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
      ? []
      : [`CHANGELOG.md has no section [${version}].`]),
    ...(existsSync(join(root, 'test/fixtures', tag))
      ? []
      : [`test/fixtures/${tag} is missing: run .ci/release/fixture.ts.`]),
    ...(git('status', '--porcelain', '--untracked-files=no') === '' ? [] : ['There are changes: commit them first.']),
    ...(git('tag', '--list', tag) === '' || isTrial ? [] : [`The tag ${tag} is set already.`]),
    ...(existsSync(folder) && readdirSync(folder).length > 0 ? [`${folder} is not empty.`] : []),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const commit = git('rev-parse', 'HEAD');
  const date = git('show', '--no-patch', '--format=%cI', 'HEAD');
  const files = writeArchives({ root, version, commit, date }, folder);
  if (!files.some((name) => name.endsWith('.whl')))
    console.log('The wheel of the Python package is left out: see above.');
  // After the archives, so that a failure leaves no tag behind.
  if (!isTrial) git('tag', '--annotate', tag, '--message', `Laurel ${version}`);
  console.log(
    `${files.map((name) => join(folder, name)).join('\n')}\n${isTrial ? 'No tag was set.' : `Tagged ${tag}; push it.`}`,
  );
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
