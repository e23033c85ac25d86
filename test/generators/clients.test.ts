// The claims of docs/clients.md about generated REST clients, line by line: generated, type-checked and run against a service.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';
import { blockOf } from '../contract/support/page.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const programs = join(import.meta.dirname, 'node_modules/.bin');

let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-generators-'));
  service = await startService();
  await newGame(service, { missions: [{ name: 'Come back', target: 10 }] });
  await service.rest('POST', '/accounts', { externalId: 'grace' });
  const settings = { target: 'es2024', module: 'nodenext', lib: ['es2024', 'dom', 'dom.iterable'], strict: true };
  const compilerOptions = { ...settings, types: ['node'], noUncheckedIndexedAccess: true, skipLibCheck: true };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test.each(['openapi-typescript with openapi-fetch', '@hey-api/openapi-ts', 'orval'])(
  'a client by %s is generated without a warning, compiles, sends an event, lists with a filter and tells an error by its code',
  { timeout: 60_000 },
  async (generator) => {
    const page = await readFile(join(root, 'docs/clients.md'), 'utf8');
    const section = page.split(`### ${generator}\n`)[1] ?? expect.unreachable(`${generator} is not in the page`);
    const cwd = join(folder, generator.replaceAll(/\W+/g, '-'));
    const env = {
      ...process.env,
      PATH: `${programs}${delimiter}${process.env.PATH}`,
      NO_COLOR: '1',
      LAUREL_URL: service.baseUrl,
      LAUREL_KEY: service.apiKey,
    };
    await mkdir(cwd);
    await writeFile(join(cwd, 'openapi.json'), await (await fetch(`${service.baseUrl}/openapi.json`)).text());
    const { stdout: output, stderr: warnings } = await run('sh', ['-ec', blockOf(section, 'sh')], { cwd, env });
    expect(output + warnings).not.toMatch(/warn|error|fail|deprecat|⚠|unsupported/i);
    await writeFile(join(cwd, 'program.ts'), blockOf(section, 'typescript'));
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ extends: '../tsconfig.json', files: ['program.ts'] }));
    await run(join(programs, 'tsc'), ['-p', cwd]).catch(({ stdout }: { stdout: string }) => expect.unreachable(stdout));
    const { stdout, stderr } = await run(process.execPath, ['program.js'], { cwd, env });
    // The three send their events in turn, each with a new operation id.
    expect(stdout).toMatch(/^Come back \d 10\nada\n404 EVENT_DEFINITION_NOT_FOUND\n$/);
    expect(stderr).toBe('');
  },
);
