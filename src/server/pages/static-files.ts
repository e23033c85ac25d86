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

/** The encodings of the build's files, best first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

type File = { readonly body: Buffer; readonly etag: string; readonly encoding: string | undefined };

/** The files of a build, by name: `assets/index-3f2a.js.gz`. */
export type Files = ReadonlyMap<string, File>;

/**
 * The files of a folder, read together at the first request and kept, so that a page never gets files of two builds. Empty without the
 * folder.
 * @param folder the output folder of the build; names that begin with a dot are left out
 */
export function createStaticFiles(folder: string): () => Promise<Files> {
  let reading: Promise<Files> | undefined;
  return async () => {
    reading ??= readAll(folder);
    const files = await reading;
    // The build may still be running.
    if (files.size === 0) reading = undefined;
    return files;
  };
}

/** Answers with a file in the best encoding that the caller accepts, or 304 if the caller has it; false without such a file. */
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

/** All files of the folder, except names that begin with a dot; empty without the folder. */
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

/** The file in the best existing encoding that the caller accepts. */
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
