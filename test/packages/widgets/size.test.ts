import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundled } from '../../../.ci/docs/bundle.ts';
import { elements } from './elements.ts';

const root = join(import.meta.dirname, '../../..');
const source = join(root, 'packages/widgets/src');
const { names } = elements();

/** Bytes. */
const MOST = 15 * 1_024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-widget-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sizeOf = (code: string | Buffer) => gzipSync(code, { level: 9 }).length;

test.each(names)('<%s> alone has at most 15 KB with gzip, all that it needs included', async (name) => {
  const file = name.replace('laurel-', '');
  const element = `Laurel${file[0]!.toUpperCase()}${file.slice(1)}`;
  const entry = join(folder, `${file}.ts`);
  await writeFile(
    entry,
    `import { connect } from '${source}/base/connect.ts';
     import { ${element} } from '${source}/${file}.ts';
     customElements.define('${name}', ${element});
     globalThis.Laurel = { connect };`,
  );
  const bytes = sizeOf(await bundled(entry));
  expect(bytes).toBeGreaterThan(3_000);
  expect(bytes).toBeLessThanOrEqual(MOST);
});

test('the script with all of them has at most 15 KB, too', async () => {
  const bytes = sizeOf(await readFile(join(root, 'dist/widgets/widgets.js')));
  expect(bytes).toBeLessThanOrEqual(MOST);
});
