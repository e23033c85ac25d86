// The files of a release, in one folder. Their bytes depend on the commit and on the versions of the packages alone.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sectionOf } from './changelog.ts';
import { productionSbom } from './sbom.ts';

/** The commit that is released. */
export type Released = {
  readonly root: string;
  readonly version: string;
  readonly commit: string;
  readonly date: string;
};

/** The parts of the service as it runs, as in Containerfile, and what somebody reads and deploys. */
const SERVICE = [
  ...['package.json', 'package-lock.json', 'LICENSE', 'README.md', 'CHANGELOG.md', 'Containerfile'],
  ...['gen', 'src', 'packages/typescript/src', 'docs', 'deploy', 'dist', '.ci/setup.mjs'],
];

/** Writes all files and returns their names. */
export function writeArchives(released: Released, target: string): string[] {
  const { root, version } = released;
  mkdirSync(target, { recursive: true });
  const node = (...args: readonly string[]) =>
    execFileSync('node', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  // The console and the docs are built into `dist`; the protos are laid for the export.
  node('.ci/setup.mjs', '--tests');
  inFolder((folder) => {
    for (const part of SERVICE) cpSync(join(root, part), join(folder, part), { recursive: true, filter: isReleased });
    writeFileSync(join(folder, 'release.json'), `${JSON.stringify({ commit: released.commit })}\n`);
    archive(released, folder, `laurel-${version}`, join(target, `laurel-${version}.tar.gz`));
  });
  inFolder((folder) => {
    node('.ci/export-protos.ts', folder);
    archive(released, folder, `laurel-protos-${version}`, join(target, `laurel-protos-${version}.tar.gz`));
  });
  inFolder((folder) => {
    cpSync(join(root, 'deploy/helm/laurel'), folder, { recursive: true });
    // Helm expects the name of the chart.
    archive(released, folder, 'laurel', join(target, `laurel-chart-${version}.tgz`));
  });
  node('.ci/clients/pack.ts', target);
  cpSync(join(root, 'gen/openapi.yaml'), join(target, `laurel-openapi-${version}.yaml`));
  writeFileSync(join(target, `laurel-${version}.cdx.json`), `${JSON.stringify(datedSbom(released), undefined, 2)}\n`);
  const notes = sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  writeFileSync(join(target, 'CHANGES.md'), `# Laurel ${version}\n\n${notes}\n`);
  return withChecksums(target);
}

/** Sources, and not what other commands lay beside them. */
function isReleased(path: string): boolean {
  return !/(?:^|\/)(?:node_modules|__pycache__)$/.test(path);
}

/** The bill of materials with the time of the commit instead of that of the command, and without a random number. */
function datedSbom({ date }: Released): object {
  const { serialNumber: _, ...sbom } = productionSbom() as ReturnType<typeof productionSbom> & {
    serialNumber?: string;
  };
  return { ...sbom, metadata: { ...sbom.metadata, timestamp: date } };
}

/** Archives a folder with git, which sorts the files and knows no owners, in a repository that is thrown away. */
function archive({ date }: Released, folder: string, prefix: string, file: string): void {
  inFolder((repository) => {
    const identity = { NAME: 'Laurel', EMAIL: 'laurel@localhost', DATE: date };
    const env = Object.fromEntries(
      Object.entries(identity).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    );
    const git = (...args: readonly string[]) =>
      execFileSync('git', [`--git-dir=${repository}`, `--work-tree=${folder}`, ...args], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      }).trim();
    git('init', '--quiet');
    // Neither ends of lines nor ignored files of this machine's settings.
    git('-c', 'core.autocrlf=false', '-c', 'core.excludesFile=', 'add', '--all', '--force', '.');
    // A commit, because the files in its archive have its time.
    const commit = git('commit-tree', git('write-tree'), '-m', prefix);
    git('archive', `--prefix=${prefix}/`, `--output=${file}`, commit);
  });
}

/** Writes the digests of all files, as `sha256sum --check` reads them. */
function withChecksums(target: string): string[] {
  const SUMS = 'SHA256SUMS';
  const names = readdirSync(target)
    .filter((name) => name !== SUMS)
    .sort();
  const lines = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(target, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(target, SUMS), lines.join(''));
  return [...names, SUMS];
}

function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-release-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
