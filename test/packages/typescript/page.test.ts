// docs/clients/typescript.md followed from an empty folder: the package is packed, installed from its archive, compiled and run.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../console/support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { blocksOf } from '../../contract/support/page.ts';
import { compile, packedInto, packedProject, type Project } from './packed.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const page = await readFile(join(root, 'docs/clients/typescript.md'), 'utf8');
const readme = await readFile(join(root, 'packages/typescript/README.md'), 'utf8');

/** The programs of the page by the names in their first lines. */
const programs = new Map(
  blocksOf(page).flatMap(({ language, code }) => {
    const name = /^\/\/ (\S+\.ts)$/m.exec(code.slice(0, code.indexOf('\n')))?.[1];
    return language === 'ts' && name !== undefined ? [[name, code] as const] : [];
  }),
);

/** The oldest supported major version of Node, if the machine has it beside that of the project. */
const NODE_20 = '/usr/bin/node';
const hasNode20 = existsSync(NODE_20) && execFileSync(NODE_20, ['--version']).toString().startsWith('v20.');

const PRINTED: Readonly<Record<string, RegExp>> = {
  'first.ts': /^Spend: 12\.5 of 100\n$/,
  'more.ts': /^applied\nEVENT_DEFINITION_NOT_FOUND\ntaken back: 2\n$/,
  'quiet.ts': /^not counted: EVENT_DEFINITION_NOT_FOUND\n$/,
  'errors.ts': /^unknown code: .*NO_SUCH_CODE.*\ntrue\n$/,
  'read.ts': /^Spend 18\.5 ACTIVE\npoints: 0\ngrace\nada\n$/,
  'services.ts': /^to claim: 0\n$/,
  'webhooks.ts': /^$/,
  'receiver.ts': /^verified: MISSION_COMPLETED\nanswered: 204\n$/,
  'hooks.ts': /^laurel\.v1\.TriggerService\/EmitTrigger after 1 attempt\n$/,
  'shop.test.ts': /pass 1\n/,
};

let service: TestService;
let project: Project;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  [service, project] = await Promise.all([startService(), packedProject()]);
  await newGame(service, { missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 100 }] });
  const settings = { LAUREL_URL: service.baseUrl, LAUREL_KEY: service.apiKey, LAUREL_TOKEN: service.adminToken };
  env = { PATH: process.env['PATH'], ...settings };
  const port = String(await freePort());
  for (const [name, code] of programs) await writeFile(join(project.folder, name), code.replaceAll('3456', port));
}, 120_000);
afterAll(async () => {
  await service.close();
  await project.close();
});

test('the page has the programs that this test knows', () => {
  expect([...programs.keys()]).toEqual(Object.keys(PRINTED));
});

test('the archive has the same bytes each time, and the version of the service', async () => {
  const again = await packedInto(join(project.folder, 'again'));
  const digestOf = async (file: string) =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  expect(await digestOf(again)).toBe(await digestOf(project.archive));
  const versionOf = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8')).version;
  expect(await versionOf('packages/typescript/package.json')).toBe(await versionOf('package.json'));
  expect(page).toContain(`laurel-client-${await versionOf('package.json')}.tgz`);
});

test('the package brings three others at most, and no file but programs, types and texts', async () => {
  const { stdout } = await run('tar', ['-tzf', project.archive]);
  const files = stdout.trim().split('\n');
  expect(
    files.filter((file) => !/^package\/(package\.json|README\.md|LICENSE|dist\/.*\.(js|d\.ts))$/.test(file)),
  ).toEqual([]);
  const manifest = JSON.parse(await readFile(join(project.folder, 'node_modules/@laurel/client/package.json'), 'utf8'));
  expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(3);
});

describe('the programs', () => {
  test.each(Object.keys(PRINTED))('%s runs as it is', async (name) => {
    const { stdout, stderr } = await run(process.execPath, [name], { cwd: project.folder, env });
    expect(stdout).toMatch(PRINTED[name]!);
    expect(stderr).toBe('');
  });

  test('more.ts prints the same when it is run again: its calls have operation ids', async () => {
    for (const time of ['second', 'third']) {
      const { stdout } = await run(process.execPath, ['more.ts'], { cwd: project.folder, env });
      expect(stdout, `the ${time} time`).toMatch(PRINTED['more.ts']!);
    }
  });

  test('the programs of the README are the first one and the test with the double', () => {
    const [first, double] = blocksOf(readme).filter(({ language }) => language === 'ts');
    expect(first?.code.replace(/ \/\/ LAUREL_URL.*/, '')).toBe(programs.get('first.ts')!.replace(/^.*\n/, ''));
    expect(double?.code).toBe(programs.get('shop.test.ts'));
  });

  test.each([
    ['the newest TypeScript', join(root, 'node_modules/.bin/tsc')],
    ['TypeScript 5', join(root, 'test/generators/node_modules/.bin/tsc')],
  ])('compile with %s, with the declarations of the package; wrong filters do not', async (_, tsc) => {
    await writeFile(join(project.folder, 'wrong.ts'), WRONG);
    await compile(project, tsc, [...programs.keys(), 'wrong.ts']);
  });

  test.skipIf(!hasNode20)('run compiled on Node 20', async () => {
    await compile(project, join(root, 'node_modules/.bin/tsc'), ['first.ts', 'errors.ts', 'read.ts']);
    const results = [];
    for (const name of ['first', 'errors', 'read']) {
      results.push((await run(NODE_20, [`out/${name}.js`], { cwd: project.folder, env })).stdout);
    }
    expect(results.join('')).toMatch(/^Spend: 12\.5 of 100\nunknown code: .*\ntrue\nSpend 18\.5 ACTIVE\n/);
  });
});

/** Filters that the type checker must refuse. */
const WRONG = `
import { Laurel } from '@laurel/client';
import { AccountService, MarketplaceService } from '@laurel/client/v1';
const laurel = new Laurel({ url: 'http://127.0.0.1', key: 'none' });
laurel.list(AccountService.method.listAccounts, { where: { externalId: 'ada', 'attributes.tier': 'GOLD' } });
// @ts-expect-error: no such field
laurel.list(AccountService.method.listAccounts, { where: { externalID: 'ada' } });
// @ts-expect-error: a moment is no number
laurel.list(AccountService.method.listAccounts, { where: { createdAt: 5 } });
// @ts-expect-error: a price is no text
laurel.list(MarketplaceService.method.listPublishedPublications, { where: { pointsCost: 'dear' } });
// @ts-expect-error: no such status
await laurel.feed('ada', { where: { status: 'ASLEEP' } });
// @ts-expect-error: an amount is no text
await laurel.emit('PURCHASE', 'ada', { amount: '12' });
`;

describe('a bundle for browsers', () => {
  const READS = `
    import { Laurel } from '@laurel/client';
    export async function read(url, key, account) {
      const laurel = new Laurel({ url, key });
      const feed = await laurel.feed(account, { where: { status: 'ACTIVE' } });
      return [feed, await laurel.points(account), await laurel.earnedRewards(account)];
    }`;

  /** The chunks of a program, by the bundler of the console. */
  async function bundled(code: string, output: Rollup.OutputOptions): Promise<Rollup.OutputChunk[]> {
    const input = join(project.folder, 'reads.js');
    await writeFile(input, code);
    const built = await build({
      configFile: false,
      root: project.folder,
      logLevel: 'error',
      publicDir: false,
      build: {
        write: false,
        target: 'es2022',
        modulePreload: false,
        rollupOptions: { input, preserveEntrySignatures: 'strict', output },
      },
    });
    return ([built].flat() as Rollup.RollupOutput[])[0]!.output.filter((each) => each.type === 'chunk');
  }

  test('that reads missions, points and rewards has at most 45 KB with gzip', async () => {
    const chunks = await bundled(READS, { format: 'es' });
    const loaded = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
    for (const name of loaded)
      for (const other of chunks.find(({ fileName }) => fileName === name)!.imports) loaded.add(other);
    const bytes = chunks
      .filter(({ fileName }) => loaded.has(fileName))
      .reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThanOrEqual(45 * 1_024);
  });

  /** The reads as one script, which sets `reading` to their outcome. */
  async function script(): Promise<string> {
    const code = `${READS}
      globalThis.reading = read(globalThis.laurelUrl, globalThis.laurelKey, 'ada').then(
        ([feed, points, rewards]) => JSON.stringify([feed[0].name, points.available, rewards.length]),
      );`;
    const [chunk] = await bundled(code, { format: 'iife', codeSplitting: false });
    return chunk!.code;
  }

  const EXPECTED = ['Spend', 0, 0];

  test('runs where only the functions of the web exist, as at the edge', async () => {
    const { AbortController, AbortSignal, Headers, Request, Response, TextDecoder, TextEncoder, URL } = globalThis;
    const { atob, btoa, clearTimeout, crypto, fetch, performance, setTimeout } = globalThis;
    const web = { AbortController, AbortSignal, Headers, Request, Response, TextDecoder, TextEncoder, URL };
    const functions = { atob, btoa, clearTimeout, crypto, fetch, performance, setTimeout };
    const edge = createContext({ ...web, ...functions, laurelUrl: service.baseUrl, laurelKey: service.apiKey });
    runInContext(await script(), edge);
    expect(JSON.parse(await runInContext('reading', edge))).toEqual(EXPECTED);
  });

  test('runs in a browser', async () => {
    const browser = await launchBrowser();
    // The service allows no script of others in its pages, and no other origin: both are settings of the operator.
    const visitor = await browser.visitor({ bypassCSP: true });
    const page = await visitor.newPage();
    await page.goto(`${service.baseUrl}/openapi.json`);
    await page.evaluate(
      `laurelUrl = ${JSON.stringify(service.baseUrl)}; laurelKey = ${JSON.stringify(service.apiKey)}`,
    );
    await page.addScriptTag({ content: await script() });
    expect(JSON.parse(await page.evaluate('reading'))).toEqual(EXPECTED);
    await browser.close();
  });
});
