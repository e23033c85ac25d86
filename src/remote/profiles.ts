import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from '../kernel/usage-error.ts';
import { checkedUrl } from './checked-url.ts';
import { tableOf } from './output.ts';

/** The address and key of a service. */
export type Profile = { readonly url: string; readonly key: string };

/** The profiles by their names. */
type Profiles = Readonly<Record<string, Profile>>;

/** `laurel profiles set`: stores a profile. The key is no argument, because other users see arguments in the list of processes. */
export async function setProfile({
  args: [name = ''],
  options: { url },
}: {
  readonly args: readonly string[];
  readonly options: { readonly url?: string | undefined };
}): Promise<void> {
  if (!/^[\w.-]{1,64}$/.test(name)) throw new UsageError('The name of a profile has 1-64 letters, digits, . _ or -.');
  if (url === undefined) throw new UsageError('Send --url with the address of the service.');
  const profile = { url: checkedUrl(url), key: await readKey() };
  await writeProfiles({ ...(await readProfiles()), [name]: profile });
  console.log(`Stored the profile '${name}' in ${profilesPath()}.`);
}

/** `laurel profiles list`. */
export async function listProfiles(): Promise<void> {
  const rows = Object.entries(await readProfiles()).map(([name, { url }]) => [name, url]);
  console.log(tableOf(['profile', 'address'], rows));
}

/**
 * The stored profiles; none without a file.
 * @throws UsageError if others may read the file, or it is damaged
 */
export async function readProfiles(): Promise<Profiles> {
  const path = profilesPath();
  try {
    // Windows has no such bits; the folder is the user's own there.
    if (process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0) {
      throw new UsageError(`Other users may read the keys in ${path}: run \`chmod 600 ${path}\`.`);
    }
    return JSON.parse(await readFile(path, 'utf8')) as Profiles;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    if (error instanceof SyntaxError) throw new UsageError(`${path} is damaged: ${error.message}`);
    throw error;
  }
}

/** Replaces the file at once, so that a crash leaves the old one or the new one. */
async function writeProfiles(profiles: Profiles): Promise<void> {
  const path = profilesPath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 });
  await chmod(fresh, 0o600);
  await rename(fresh, path);
}

function profilesPath(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  const folder = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config');
  return join(folder, 'laurel', 'profiles.json');
}

/** The key in LAUREL_KEY, or the first line of standard input, which a terminal does not show. */
async function readKey(): Promise<string> {
  const { LAUREL_KEY } = process.env;
  if (LAUREL_KEY) return LAUREL_KEY;
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write('Key: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  const { done, value } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  if (stdin.isTTY) stderr.write('\n');
  const key = done ? '' : value.trim();
  if (key === '') throw new UsageError('Set LAUREL_KEY to the key, or send it to standard input.');
  return key;
}
