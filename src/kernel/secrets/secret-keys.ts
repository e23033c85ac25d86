import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The output of `openssl rand -base64 32`, in either base64 alphabet, with or without padding. */
const KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * The keys of `LAUREL_SECRET_KEYS`: base64 of 32 bytes each, separated by commas, the current one first.
 * @throws Error with the number of the malformed key, never its content
 */
export function secretKeysFromText(text: string): Buffer[] {
  const keys = text.split(',').map((part) => part.trim());
  return keys.map((key, index) => {
    // Buffer.from would skip invalid characters, and a mistyped key would become another key.
    if (!KEY.test(key))
      throw new Error(`Secret key ${index + 1} is not base64 of 32 bytes; \`openssl rand -base64 32\` prints one.`);
    return Buffer.from(key, 'base64');
  });
}

/**
 * The keys in a file of the same form. A missing file is created with one new key, readable only by its owner. It is meant for one machine:
 * several hosts on one database need the same keys.
 */
export async function secretKeysFromFile(path: string): Promise<Buffer[]> {
  const text = (await readIfThere(path)) ?? (await generate(path));
  return secretKeysFromText(text.trim());
}

/** The keys in the file; empty without a file. For callers that must not create it. */
export async function secretKeysIfThere(path: string): Promise<Buffer[]> {
  const text = await readIfThere(path);
  return text === undefined ? [] : secretKeysFromText(text.trim());
}

/** Two processes may start at the same time: the one with the later link reads the file of the other. */
async function generate(path: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  } catch (error) {
    // The usual cause is a container with a read-only file system.
    const words = `No key for stored secrets is set, and none can be made: ${(error as Error).message}.`;
    throw new Error(`${words} Set LAUREL_SECRET_KEYS, to the output of \`openssl rand -base64 32\`.`, { cause: error });
  }
  await link(draft, path).catch(ignoreCode('EEXIST'));
  await rm(draft);
  return readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreCode('ENOENT'));
}

function ignoreCode(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}
