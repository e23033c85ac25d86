import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder of browsers: beside the package, so that a new version of it has a separate one. */
const CACHE = join(ROOT, 'node_modules/.cache/laurel-chromium');

const ENTRY = createRequire(import.meta.url).resolve('@sparticuz/chromium');

/**
 * The browser from npm, unpacked once. Each process that finds none unpacks it into a separate folder, because a half-written one cannot
 * start (ETXTBSY); the first process to finish renames its folder to the common name.
 * @returns the path of the program
 */
export async function unpackedBrowser(cache = CACHE): Promise<string> {
  const folder = join(cache, await packageVersion());
  const program = join(folder, 'chromium');
  if (await exists(program)) return program;
  await mkdir(cache, { recursive: true });
  const own = await mkdtemp(`${folder}-`);
  try {
    // The package always unpacks into the folder for temporary files; in a separate process, that folder can be this one.
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
