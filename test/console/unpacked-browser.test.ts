import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const MODULE = fileURLToPath(new URL('support/unpacked-browser.ts', import.meta.url));

let cache: string;
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'laurel-unpacking-'));
});
afterAll(() => rm(cache, { recursive: true, force: true }));

/** Unpacks and starts the browser in a separate process, as each worker of the tests does; returns the browser's version. */
async function startedElsewhere(): Promise<string> {
  const script = `import { execFileSync } from 'node:child_process';
    import { unpackedBrowser } from ${JSON.stringify(MODULE)};
    process.stdout.write(execFileSync(await unpackedBrowser(${JSON.stringify(cache)}), ['--no-sandbox', '--version']));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout;
}

// A machine with CHROMIUM_PATH may be unable to run npm's browser.
it.skipIf(process.env['CHROMIUM_PATH'])(
  'Processes that start the first browser at once each start a whole one, and it is kept once',
  async () => {
    const outputs = await Promise.all([startedElsewhere(), startedElsewhere(), startedElsewhere()]);
    for (const words of outputs) expect(words).toMatch(/Chrom/);
    expect(await readdir(cache)).toHaveLength(1);
  },
);
