import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer } from './answer.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { methodNotAllowed, ProtocolError } from './protocol-error.ts';
import type { Pages } from './pages.ts';

/** Where `npm run setup` lays the console's files. */
export const consoleFolder = fileURLToPath(new URL('../../dist/console', import.meta.url));

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

/**
 * The administration console: its files below `/console`, and its first page for every other address there, because the
 * page itself knows its addresses. `/` leads to it. Files are read once and kept; all together they are some 3 MB.
 * @param folder where the build laid them
 */
export function createConsolePages(folder: string = consoleFolder): Pages {
  const files = new Map<string, Promise<File | undefined>>();

  function load(name: string): Promise<File | undefined> {
    const known = files.get(name);
    if (known !== undefined) return known;
    const file = readOne(join(folder, name)).then((found) => {
      // Kept, the names that anyone can think of would fill the memory.
      if (found === undefined) files.delete(name);
      return found;
    });
    files.set(name, file);
    return file;
  }

  async function best(name: string, accepted: string): Promise<File | undefined> {
    for (const encoding of ENCODINGS) {
      if (!accepts(accepted, encoding.name)) continue;
      const file = await load(name + encoding.suffix);
      if (file !== undefined) return { ...file, encoding: encoding.name };
    }
    return load(name);
  }

  async function serve(exchange: Exchange): Promise<void> {
    const name = nameOf(exchange.path);
    const accepted = headerOf(exchange.request, 'accept-encoding') ?? '';
    const isAsset = name.startsWith('assets/');
    const file = (await best(name, accepted)) ?? (isAsset ? undefined : await best('index.html', accepted));
    if (file === undefined) throw isAsset ? unknownFile(name) : notBuilt();
    const headers = {
      ...HEADERS,
      etag: file.etag,
      'cache-control': isAsset ? FOR_EVER : 'no-cache',
      'content-type': MEDIA_TYPES[extname(name)] ?? 'text/html; charset=utf-8',
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

async function readOne(path: string): Promise<File | undefined> {
  try {
    const body = await readFile(path);
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    return { body, etag: `"${digest}"`, encoding: undefined };
  } catch {
    return undefined;
  }
}

/** Only what the build can have laid: whatever else a path says, such as `..`, is an address of the page itself. */
function nameOf(path: string): string {
  const name = path.slice('/console/'.length);
  return /^(assets\/)?[\w-]+(\.[\w-]+)*\.(js|css|svg|woff2)$/.test(name) ? name : 'index.html';
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

function unknownFile(name: string): ProtocolError {
  return new ProtocolError(404, 'NOT_FOUND', `There is no file ${name}. Load the page again.`);
}

function notBuilt(): ProtocolError {
  return new ProtocolError(404, 'NOT_FOUND', 'The console has not been built here. Run `npm run setup` and try again.');
}
