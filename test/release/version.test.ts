// The release that runs, by `/healthz`, the command line and the files of git.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRelease, releaseLine } from '../../src/app/release.ts';
import { sharedService } from '../support/service.ts';

const run = promisify(execFile);
const COMMIT = '0123456789abcdef0123456789abcdef01234567';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-version-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A folder with a package and some files. */
async function sources(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(folder, 'sources-'));
  for (const [path, text] of Object.entries({ 'package.json': '{"version": "7.8.9"}', ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

test('/healthz and the command line name version, commit and API', async () => {
  const { baseUrl } = await sharedService();
  const release = readRelease();
  expect(release).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: expect.any(String),
    apiVersion: 'v1',
  });
  const answer = await fetch(`${baseUrl}/healthz`);
  expect(await answer.json()).toEqual({ status: 'ok', ...release });
  const main = join(import.meta.dirname, '../../src/main.ts');
  expect((await run(process.execPath, [main, '--version'])).stdout).toBe(`${releaseLine(release)}\n`);
});

test.each<[string, Record<string, string>, string | undefined]>([
  ['an archive or an image', { 'release.json': `{"commit": "${COMMIT}"}` }, COMMIT],
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${COMMIT}\n` }, COMMIT],
  [
    'a packed branch',
    { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': `# pack\n${COMMIT} refs/heads/main\n` },
    COMMIT,
  ],
  ['a checked-out tag', { '.git/HEAD': `${COMMIT}\n` }, COMMIT],
  [
    'a linked worktree',
    {
      '.git': 'gitdir: main/worktrees/own\n',
      'main/worktrees/own/HEAD': 'ref: refs/heads/own\n',
      'main/worktrees/own/commondir': '../..\n',
      'main/refs/heads/own': `${COMMIT}\n`,
    },
    COMMIT,
  ],
  ['sources without git', {}, undefined],
])('the commit of %s is found', async (_name, files, commit) => {
  const release = readRelease(await sources(files));
  expect(release).toEqual({ version: '7.8.9', ...(commit && { commit }), apiVersion: 'v1' });
  expect(releaseLine(release)).toBe(`laurel 7.8.9, commit ${commit ?? 'unknown'}, API v1`);
});
