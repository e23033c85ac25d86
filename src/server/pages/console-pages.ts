import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer } from '../http/answer.ts';
import { type Exchange, headerOf } from '../http/exchange.ts';
import { methodNotAllowed, ProtocolError } from '../http/protocol-error.ts';
import type { Pages } from './pages.ts';

/** Where `npm run setup` lays the console's files. */
export const consoleFolder = fileURLToPath(new URL('../../../dist/console', import.meta.url));

/**
 * What the console may load and do: its own files and its own service. Scripts come from files only. Styles may be inline,
 * because the component library writes the sizes and colours of its components into style elements; without scripts,
 * styles can neither run nor call anything. No page may frame the console, so that nobody can be made to click in it unseen.
 */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  // Pictures of missions lie where the integrator keeps them.
  "img-src 'self' data: https: http:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept-Encoding',
};

/** The hash in its name changes with its content, so a browser never needs to ask again. A year is what RFC 9111 advises. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The encodings in which the build lays files, best first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

type File = { readonly body: Buffer; readonly etag: string; readonly encoding: string | undefined };

/** The files that the build laid, by name: `assets/index-3f2a.js.gz`. */
type Files = ReadonlyMap<string, File>;

/**
 * The administration console: its files below `/console`, and its first page for every other address there, because the
 * page itself knows its addresses. `/` leads to it. All files, some 5 MB, are read together at the first request and
 * kept, so that a build which replaces them does not leave the page asking for files of two builds.
 * @param folder where the build laid them
 */
export function createConsolePages(folder: string = consoleFolder): Pages {
  let reading: Promise<Files> | undefined;

  async function load(): Promise<Files> {
    reading ??= readAll(folder);
    const files = await reading;
    // Perhaps it is being built.
    if (files.size === 0) reading = undefined;
    return files;
  }

  async function serve(exchange: Exchange): Promise<void> {
    const files = await load();
    const asked = exchange.path.slice('/console/'.length);
    const isAsset = asked.startsWith('assets/');
    const name = files.has(asked) || isAsset ? asked : 'index.html';
    const file = bestOf(files, name, headerOf(exchange.request, 'accept-encoding') ?? '');
    if (file === undefined) throw isAsset ? unknownFile() : notBuilt();
    const headers = {
      ...HEADERS,
      etag: file.etag,
      'cache-control': isAsset ? FOR_EVER : 'no-cache',
      'content-type': MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
      ...(file.encoding !== undefined && { 'content-encoding': file.encoding }),
    };
    if (headerOf(exchange.request, 'if-none-match') === file.etag) answer(exchange, 304, headers, undefined);
    else answer(exchange, 200, headers, file.body);
  }

  return (exchange) => {
    const { path } = exchange;
    const toConsole = path === '/' || path === '/console';
    if (!toConsole && !path.startsWith('/console/')) return undefined;
    exchange.protocol = 'http';
    exchange.route = '/console';
    if (exchange.requestMethod !== 'GET' && exchange.requestMethod !== 'HEAD') {
      return Promise.reject(methodNotAllowed(exchange.requestMethod, ['GET', 'HEAD']));
    }
    if (!toConsole) return serve(exchange);
    answer(exchange, 302, { location: `/console/${queryOf(exchange.url)}` }, undefined);
    return Promise.resolve();
  };
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

function queryOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? '' : url.slice(query);
}

function unknownFile(): ProtocolError {
  return new ProtocolError('NOT_FOUND', 'There is no such file. Load the page again: it may be of an older build.');
}

function notBuilt(): ProtocolError {
  return new ProtocolError('NOT_FOUND', 'The console has not been built here. Run `npm run setup` and try again.');
}
