import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Where browsers are kept: beside the package, so that a new version of it brings its own. */
const CACHE = join(ROOT, 'node_modules/.cache/laurel-chromium');

const ENTRY = createRequire(import.meta.url).resolve('@sparticuz/chromium');

/**
 * The browser that npm brought, unpacked once. Each process that finds none unpacks it into a folder of its own, because one that is still
 * being written cannot be started (ETXTBSY); the first to be ready gives its folder the name under which all find it.
 * @returns the path of the program
 */
export async function unpackedBrowser(cache = CACHE): Promise<string> {
  const folder = join(cache, await packageVersion());
  const program = join(folder, 'chromium');
  if (await exists(program)) return program;
  await mkdir(cache, { recursive: true });
  const own = await mkdtemp(`${folder}-`);
  try {
    // The package unpacks into the folder for temporary files and knows no other; in a process of its own that can be this one.
    const unpack = `import('${ENTRY}').then(({ default: chromium }) => chromium.executablePath())`;
    await promisify(execFile)(process.execPath, ['-e', unpack], { env: { ...process.env, TMPDIR: own }, cwd: ROOT });
    await rename(own, folder).catch(async (error: NodeJS.ErrnoException) => {
      if (!(await exists(program))) throw error;
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return program;
}

async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ENTRY, '../../package.json'), 'utf8')) as { version: string };
  return version;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
