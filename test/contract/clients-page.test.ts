import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';
import { blockOf } from './page.ts';

const run = promisify(execFile);
const page = new URL('../../docs/clients.md', import.meta.url);

let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-clients-'));
  service = await startService();
  await run('npm', ['run', '-s', '--ignore-scripts', 'export-protos', '--', join(folder, 'protos')]);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('the exported protos need nothing else, and lack none of ours', async () => {
  await run('node_modules/.bin/buf', ['build', '-o', '/dev/null', join(folder, 'protos')]);
  for (const api of ['laurel/v1', 'laurel/admin/v1']) {
    expect(await readdir(join(folder, 'protos', api))).toEqual(await readdir(join('proto', api)));
  }
});

/** What the page needs, and who brings it. */
const python = '/usr/bin/python3';
const needed = [
  python,
  '/usr/bin/protoc',
  '/usr/bin/grpc_python_plugin',
  '/usr/lib/python3/dist-packages/grpc/__init__.py',
];
const missing = (
  await Promise.all(
    needed.map((path) =>
      access(path).then(
        () => '',
        () => path,
      ),
    ),
  )
).filter(Boolean);

test.skipIf(missing.length > 0)(
  `the Python of the page is generated, compiled and calls the service${missing.length > 0 ? `: skipped, because ${missing.join(', ')} is not installed` : ''}`,
  { timeout: 60_000 },
  async () => {
    await newGame(service, { missions: [{ name: 'Come back', target: 3 }] });
    const text = (await readFile(page, 'utf8')).split('## Python')[1] ?? '';
    await run('sh', ['-ec', blockOf(text, 'sh')], { cwd: folder });
    const { stdout } = await run(python, ['-c', blockOf(text, 'python')], {
      env: {
        ...process.env,
        PYTHONPATH: join(folder, 'client'),
        LAUREL_ADDRESS: `127.0.0.1:${service.app.port}`,
        LAUREL_KEY: service.apiKey,
      },
    });
    expect(stdout).toMatch(/^Come back 1.0 of 3.0\nNOT_FOUND .*NO_SUCH_CODE/);
  },
);
