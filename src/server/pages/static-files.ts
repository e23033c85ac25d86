import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { answer } from '../http/answer.ts';
import { type Exchange, headerOf } from '../http/exchange.ts';

/** The hash in its name changes with its content, so a browser never needs to ask again. A year is what RFC 9111 advises. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The encodings in which the build lays files, best first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

type File = { readonly body: Buffer; readonly etag: string; readonly encoding: string | undefined };

/** The files that a build laid, by name: `assets/index-3f2a.js.gz`. */
export type Files = ReadonlyMap<string, File>;

/**
 * Files of a folder, read together at the first request and kept, so that a build which replaces them does not leave a page
 * asking for files of two builds. Empty while there is no such folder.
 * @param folder where the build laid them; what begins with a dot is left out
 */
export function createStaticFiles(folder: string): () => Promise<Files> {
  let reading: Promise<Files> | undefined;
  return async () => {
    reading ??= readAll(folder);
    const files = await reading;
    // Perhaps it is being built.
    if (files.size === 0) reading = undefined;
    return files;
  };
}

/** Answers with a file in the best encoding that the caller accepts, or 304 if the caller has it; false if there is none. */
export function answerFile(
  exchange: Exchange,
  files: Files,
  name: string,
  headers: Readonly<Record<string, string>>,
): boolean {
  const file = bestOf(files, name, headerOf(exchange.request, 'accept-encoding') ?? '');
  if (file === undefined) return false;
  const all = {
    ...headers,
    vary: 'Accept-Encoding',
    etag: file.etag,
    'content-type': MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
    ...(file.encoding !== undefined && { 'content-encoding': file.encoding }),
  };
  if (headerOf(exchange.request, 'if-none-match') === file.etag) answer(exchange, 304, all, undefined);
  else answer(exchange, 200, all, file.body);
  return true;
}

/** Everything in the folder but what begins with a dot; nothing if there is no such folder. */
async function readAll(folder: string): Promise<Files> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name));
    const files = paths.map(
      async (path) => [relative(folder, path).replaceAll(sep, '/'), await readOne(path)] as const,
    );
    return new Map(await Promise.all(files));
  } catch {
    return new Map();
  }
}

async function readOne(path: string): Promise<File> {
  const body = await readFile(path);
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const encoding = ENCODINGS.find(({ suffix }) => path.endsWith(suffix))?.name;
  return { body, etag: `"${digest}"`, encoding };
}

/** The file in the best encoding that was laid and that the caller accepts. */
function bestOf(files: Files, name: string, accepted: string): File | undefined {
  const encoded = ENCODINGS.filter((encoding) => accepts(accepted, encoding.name));
  return encoded.map(({ suffix }) => files.get(name + suffix)).find((file) => file !== undefined) ?? files.get(name);
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', weight = ''] = part.split(';');
    return name.trim() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(weight);
  });
}
