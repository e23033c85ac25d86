import { fileURLToPath } from 'node:url';
import { answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { methodNotAllowed, ProtocolError } from '../http/protocol-error.ts';
import type { Pages } from './pages.ts';
import { answerFile, createStaticFiles, FOR_EVER } from './static-files.ts';

/** The folder of the console's files, which `npm run setup` writes. */
export const consoleFolder = fileURLToPath(new URL('../../../dist/console', import.meta.url));

/**
 * The content security policy of the console: its own files and its own service. Scripts come from files only. Styles
 * may be inline, because the component library writes the sizes and colours of its components into style elements;
 * without scripts, styles can neither run nor call anything. No page may frame the console, which prevents
 * clickjacking.
 */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  // Pictures of missions are on servers of the integrator.
  "img-src 'self' data: https: http:",
  // Spreadsheets are compressed beside the page, by a script that the page itself has made.
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * The administration console: its files below `/console`, and its first page for every other address there, because the page itself handles
 * its addresses. `/` redirects to it. All files, some 5 MB, are kept in memory.
 * @param folder the output folder of the build
 */
export function createConsolePages(folder: string = consoleFolder): Pages {
  const load = createStaticFiles(folder);

  async function serve(exchange: Exchange): Promise<void> {
    const files = await load();
    const asked = exchange.path.slice('/console/'.length);
    const isAsset = asked.startsWith('assets/');
    const name = files.has(asked) || isAsset ? asked : 'index.html';
    const headers = { ...HEADERS, 'cache-control': isAsset ? FOR_EVER : 'no-cache' };
    if (!answerFile(exchange, files, name, headers)) throw isAsset ? unknownFile() : notBuilt();
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
