// A release, tried in a clone: the version everywhere, the changelog, the archives, the tag.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { releasedChangelog, sectionOf } from '../../.ci/release/changelog.ts';
import { versionsIn } from '../../.ci/release/versions.ts';
import { OFFLINE, python } from '../packages/python/installed.ts';
import { LAST_RELEASE } from '../../src/persistence/migrating/own-migrations.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const { version } = LAST_RELEASE;

let folder: string;
let clone: string;
const wheel = `laurel_client-${version}-py3-none-any.whl`;
/** Without the packages of Python's tests, no wheel is built. */
const env = {
  ...process.env,
  ...(python === undefined && { LAUREL_PYTHON: 'no-python' }),
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
};
const release = (...args: string[]) => run('node', ['.ci/release/release.ts', ...args], { cwd: clone, env });
const git = async (...args: string[]) => (await run('git', args, { cwd: clone })).stdout.trim();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-release-test-'));
  clone = join(folder, 'clone');
  await run('git', ['clone', '--quiet', '--shared', root, clone]);
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
  // Changes that are not committed are released as well, so that the test includes them.
  const { stdout } = await run('git', ['ls-files', '--modified', '--others', '--exclude-standard'], { cwd: root });
  for (const path of stdout.split('\n').filter((each) => each !== '' && !each.endsWith('node_modules'))) {
    await cp(join(root, path), join(clone, path), { recursive: true });
  }
  // Built and laid before; otherwise the release does it.
  for (const path of ['dist', '.laurel/protos', '.laurel/python']) {
    await mkdir(join(clone, path, '..'), { recursive: true });
    await cp(join(root, path), join(clone, path), { recursive: true }).catch(() => undefined);
  }
  await git('config', 'user.email', 'test@example.com');
  await git('config', 'user.name', 'Test');
  await git('add', '--all', ':!node_modules');
  await git('commit', '--quiet', '--allow-empty', '--message', 'changes');
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

describe('the archives of a release', { timeout: 300_000 }, () => {
  let target: string;
  beforeAll(async () => {
    target = join(folder, 'out');
    await release(version, target);
  }, 300_000);

  const unpacked = async (name: string) => {
    const into = await mkdtemp(join(folder, 'unpacked-'));
    await run('tar', ['-xzf', join(target, name), '-C', into]);
    return into;
  };

  test('are the service, packages, protos, OpenAPI, chart, bill of materials and changes, with right checksums', async () => {
    const names = await readdir(target);
    expect(names.toSorted()).toEqual(
      [
        ...['CHANGES.md', 'SHA256SUMS', `laurel-${version}.cdx.json`, `laurel-${version}.tar.gz`],
        ...[`laurel-chart-${version}.tgz`, `laurel-client-${version}.tgz`, `laurel-widgets-${version}.tgz`],
        ...[`laurel-openapi-${version}.yaml`, `laurel-protos-${version}.tar.gz`],
        ...(python === undefined ? [] : [wheel]),
      ].toSorted(),
    );
    const sums = (await readFile(join(target, 'SHA256SUMS'), 'utf8')).trim().split('\n');
    expect(sums).toHaveLength(names.length - 1);
    for (const line of sums) {
      const [digest, name] = line.split('  ') as [string, string];
      expect(
        createHash('sha256')
          .update(await readFile(join(target, name)))
          .digest('hex'),
      ).toBe(digest);
    }
    expect(await readFile(join(target, 'CHANGES.md'), 'utf8')).toMatch(
      new RegExp(`^# Laurel ${version}\\n\\n### Added\\n`),
    );
    const sbom = JSON.parse(await readFile(join(target, `laurel-${version}.cdx.json`), 'utf8'));
    expect(sbom.metadata.timestamp).toBe(await git('show', '--no-patch', '--format=%cI', 'HEAD'));
  });

  test('tag the commit, once', async () => {
    expect(await git('rev-parse', `v${version}^{commit}`)).toBe(await git('rev-parse', 'HEAD'));
    await expect(release(version, join(folder, 'again'))).rejects.toThrow('is set already');
  });

  test('have the service as it runs: version, commit and pages, with nothing left to build', async () => {
    const service = join(await unpacked(`laurel-${version}.tar.gz`), `laurel-${version}`);
    await symlink(join(root, 'node_modules'), join(service, 'node_modules'));
    const { stdout } = await run('node', ['src/main.ts', '--version'], { cwd: service, env });
    expect(stdout).toBe(`laurel ${version}, commit ${await git('rev-parse', 'HEAD')}, API v1\n`);
    for (const path of [
      'dist/console/index.html',
      'gen/openapi.yaml',
      'deploy/systemd/laurel.service',
      'CHANGELOG.md',
    ]) {
      expect((await readFile(join(service, path))).length).toBeGreaterThan(0);
    }
    expect(await readdir(service)).not.toContain('test');
    // Nothing is left to build.
    const setup = await run('node', ['.ci/setup.mjs'], { cwd: service, env });
    expect(setup.stderr).toBe('');
  });

  test('have protos that compile and a chart with its version', async () => {
    const protos = join(await unpacked(`laurel-protos-${version}.tar.gz`), `laurel-protos-${version}`);
    await run('buf', ['build', protos, '--output', '/dev/null'], { env });
    const chart = await unpacked(`laurel-chart-${version}.tgz`);
    expect(await readFile(join(chart, 'laurel/Chart.yaml'), 'utf8')).toContain(`appVersion: ${version}`);
  });

  test.skipIf(python === undefined)(
    'have a wheel that is installed and imported (skipped without Python)',
    async () => {
      const environment = join(folder, 'venv');
      await run(python!.path, ['-m', 'venv', '--without-pip', environment]);
      const interpreter = join(environment, 'bin/python');
      const install = ['-m', 'pip', '--python', interpreter, 'install', '--quiet', join(target, wheel)];
      await run(python!.path, install, { env: { ...process.env, ...OFFLINE } });
      const program =
        'import importlib.metadata, laurel; print(importlib.metadata.version("laurel-client"), laurel.Laurel)';
      const { stdout } = await run(interpreter, ['-c', program], { cwd: folder });
      expect(stdout).toContain(`${version} <class 'laurel._client.Laurel'>`);
    },
  );

  test('are the same bytes again', async () => {
    const again = join(folder, 'same');
    await release(version, again, '--no-tag');
    expect(await readFile(join(again, 'SHA256SUMS'), 'utf8')).toBe(await readFile(join(target, 'SHA256SUMS'), 'utf8'));
  });

  test('are refused with changes that are not committed, and into a folder with files', async () => {
    await expect(release(version, target, '--no-tag')).rejects.toThrow('is not empty');
    await writeFile(join(clone, 'README.md'), 'changed');
    await expect(release(version, join(folder, 'dirty'), '--no-tag')).rejects.toThrow('There are changes');
    await git('checkout', '--quiet', 'README.md');
  });

  test('need a version that every place has, a section of the changelog and a fixture', async () => {
    await release('9.9.9', join(folder, 'next'), '--date', '2030-01-02');
    expect(versionsIn(clone)).toEqual(['9.9.9']);
    const changelog = await readFile(join(clone, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain('## [Unreleased]\n\n## [9.9.9] - 2030-01-02\n');
    expect(await readFile(join(clone, 'gen/openapi.yaml'), 'utf8')).toContain('version: 9.9.9');
    const changed = (await git('diff', '--name-only')).split('\n');
    expect(changed).toEqual(
      expect.arrayContaining(['package-lock.json', 'packages/python/pyproject.toml', 'docs/deploying.md']),
    );
    await git('commit', '--quiet', '--all', '--message', '9.9.9');
    await expect(release('9.9.9', join(folder, 'next'))).rejects.toThrow('test/fixtures/v9.9.9 is missing');
  });
});

test('every place of the version has that of the sources', async () => {
  const { version: present } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(versionsIn(root)).toEqual([present]);
});

test('a changelog without unreleased changes is no release', () => {
  const text = '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- It is there.\n';
  expect(() => releasedChangelog(text, '0.2.0', '2026-02-01')).toThrow('no unreleased changes');
  const next = releasedChangelog(
    text.replace('## [Unreleased]\n', '## [Unreleased]\n\n- More.\n'),
    '0.2.0',
    '2026-02-01',
  );
  expect([sectionOf(next, 'Unreleased'), sectionOf(next, '0.2.0'), sectionOf(next, '0.1.0')]).toEqual([
    '',
    '- More.',
    '- It is there.',
  ]);
});
