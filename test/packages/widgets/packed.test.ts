// The package of the widgets, for pages with a bundler: packed, installed from its archive and used.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundled } from '../../../.ci/docs/bundle.ts';
import { launchBrowser } from '../../console/support/browser.ts';
import { blocksOf } from '../../contract/support/page.ts';
import { elements } from './elements.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const text = await readFile(join(root, 'docs/clients/widgets.md'), 'utf8');
const program = blocksOf(text).find(({ code }) => code.includes("'@laurel/widgets'"))?.code ?? '';

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-widgets-'));
  archive = await packedInto(folder);
  const installed = join(folder, 'node_modules/@laurel/widgets');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'app.ts'), program);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function packedInto(target: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['.ci/clients/pack-widgets.ts', target], { cwd: root });
  return join(target, stdout.trim().split('\n').at(-1)!);
}

test('the archive has the same bytes each time, the version of the service, and no file but programs, types and texts', async () => {
  const again = await packedInto(join(folder, 'again'));
  const digestOf = async (file: string) =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  expect(await digestOf(again)).toBe(await digestOf(archive));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  expect(archive).toContain(`laurel-widgets-${version}.tgz`);
  expect(text).toContain(`laurel-widgets-${version}.tgz`);
  const files = (await run('tar', ['-tzf', archive])).stdout.trim().split('\n');
  expect(
    files.filter((file) => !/^package\/(package\.json|README\.md|LICENSE|dist\/.*\.(js|d\.ts))$/.test(file)),
  ).toEqual([]);
});

test.each([
  ['the newest TypeScript', join(root, 'node_modules/.bin/tsc')],
  ['TypeScript 5', join(root, 'test/generators/node_modules/.bin/tsc')],
])('the program of the page compiles with %s, and a text that no widget has does not', async (_, tsc) => {
  await writeFile(join(folder, 'wrong.ts'), WRONG);
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom'],
    strict: true,
    noEmit: true,
    types: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts', 'wrong.ts'] }));
  await run(tsc, ['-p', folder]).catch(({ stdout }: { stdout: string }) => expect.unreachable(stdout));
});

/** Settings that the type checker must refuse. */
const WRONG = `
import { connect } from '@laurel/widgets';
// @ts-expect-error: no such text
connect({ url: '/', token: () => 'a', texts: { en: { pointTitle: 'Stars' } } });
// @ts-expect-error: an address is needed
connect({ token: () => 'a' });
document.querySelector('laurel-points')!.refresh();
`;

test('a server that renders pages may import it: only a browser defines the elements', async () => {
  const code = `import('@laurel/widgets').then(({ elements }) => console.log(Object.keys(elements).sort().join()))`;
  const { stdout } = await run(process.execPath, ['-e', code], { cwd: folder });
  expect(stdout.trim()).toBe(elements().names.join());
});

test('a bundle of the program defines the elements in a browser', async () => {
  const browser = await launchBrowser();
  const page = await (await browser.visitor()).newPage();
  await page.addScriptTag({ content: await bundled(join(folder, 'app.ts')) });
  const defined = `${JSON.stringify(elements().names)}.every((name) => customElements.get(name) !== undefined)`;
  expect(await page.evaluate(defined)).toBe(true);
  await browser.close();
});
