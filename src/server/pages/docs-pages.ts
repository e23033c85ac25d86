import { fileURLToPath } from 'node:url';
import { answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { methodNotAllowed, ProtocolError } from '../http/protocol-error.ts';
import { isLoopbackRequest } from './loopback-request.ts';
import type { Pages } from './pages.ts';
import { answerFile, createStaticFiles, type Files, FOR_EVER } from './static-files.ts';

/** The query parameter of the printed link. */
export const DEMO_WORD = 'word';

/** The folder of the reference and the guide, which `npm run setup` writes. */
export const docsFolder = fileURLToPath(new URL('../../../dist/docs', import.meta.url));

const COMMON = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The guide's style is a file. */
const GUIDE_POLICY = [...COMMON, "style-src 'self'"].join('; ');

/** As in the console, the component library writes style elements; without scripts they can neither run nor call anything. */
const REFERENCE_POLICY = [...COMMON, "style-src 'self' 'unsafe-inline'"].join('; ');

/** The pictures of badges and missions are on servers of the integrator. */
const WIDGETS_POLICY = GUIDE_POLICY.replace("img-src 'self' data:", "img-src 'self' data: https: http:");

/** The settings of the pages. */
export type DocsPagesOptions = {
  /**
   * The API key of the demo, for the one-time token of the printed link; undefined for any other token. Only this
   * machine can use it: a proxy without forwarding headers looks like this machine, but does not know the token.
   */
  readonly demoKey?: ((word: string) => string | undefined) | undefined;
  /** The output folder of the build. */
  readonly folder?: string | undefined;
};

/**
 * `/docs`, where every operation can be read and tried, `/docs/widgets`, where every widget can, and below `/docs/guide` the pages of
 * `docs/`. All files, some 8 MB, are kept in memory from the first request on. They need no credential.
 */
export function createDocsPages({ demoKey, folder = docsFolder }: DocsPagesOptions = {}): Pages {
  const load = createStaticFiles(folder);

  async function serve(exchange: Exchange, name: string): Promise<void> {
    const files = await load();
    if (files.size === 0) throw notBuilt();
    const key = name === REFERENCE ? keyFor(exchange) : undefined;
    if (key !== undefined) return offerKey(exchange, files, key);
    if (!answerFile(exchange, files, name, headersOf(name))) throw unknownPage();
  }

  /** The key for the one-time word; a HEAD must not use up the word. */
  function keyFor({ request, requestMethod, url }: Exchange): string | undefined {
    if (requestMethod !== 'GET' || !isLoopbackRequest(request)) return undefined;
    const word = new URLSearchParams(url.split('?', 2)[1]).get(DEMO_WORD);
    return word === null ? undefined : demoKey?.(word);
  }

  return (exchange) => {
    const { path } = exchange;
    if (path !== '/docs' && !path.startsWith('/docs/')) return undefined;
    exchange.protocol = 'http';
    exchange.route = path.startsWith('/docs/guide') ? '/docs/guide' : '/docs';
    if (exchange.requestMethod !== 'GET' && exchange.requestMethod !== 'HEAD') {
      return Promise.reject(methodNotAllowed(exchange.requestMethod, ['GET', 'HEAD']));
    }
    if (!path.endsWith('/')) return serve(exchange, fileOf(path));
    answer(exchange, 302, { location: path.replace(/\/+$/, '') }, undefined);
    return Promise.resolve();
  };
}

const REFERENCE = 'reference.html';
const WIDGETS = 'widgets.html';

/** The name of the file for an address: `/docs/guide/events` is `guide/events.html`. The example of the widgets has no extensions. */
function fileOf(path: string): string {
  if (path === '/docs') return REFERENCE;
  if (path === '/docs/guide') return 'guide/index.html';
  if (path === '/docs/widgets') return WIDGETS;
  const name = path.slice('/docs/'.length);
  if (name.startsWith('sample/')) return `${name}.json`;
  return name.startsWith('guide/') ? `${name}.html` : name;
}

/** The page with the key in an attribute, which the page's script reads. */
function offerKey(exchange: Exchange, files: Files, key: string): void {
  const html = files.get(REFERENCE)?.body.toString() ?? '';
  const headers = { ...headersOf(REFERENCE), 'content-type': 'text/html; charset=utf-8' };
  // A key consists of letters, digits, `_` and `-`.
  answer(
    exchange,
    200,
    headers,
    html.replace('<body', () => `<body data-demo-key="${key}"`),
  );
}

/** The headers of a file. Caches never store the reference, because it may contain the key: see SECURITY_HEADERS. */
function headersOf(name: string): Record<string, string> {
  const caching = name.startsWith('assets/') ? FOR_EVER : 'no-cache';
  return {
    'content-security-policy': policyOf(name),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    ...(name !== REFERENCE && { 'cache-control': caching }),
  };
}

function policyOf(name: string): string {
  if (name === REFERENCE) return REFERENCE_POLICY;
  return name === WIDGETS ? WIDGETS_POLICY : GUIDE_POLICY;
}

function unknownPage(): ProtocolError {
  return new ProtocolError('NOT_FOUND', 'There is no such page. The guide begins at /docs/guide.');
}

function notBuilt(): ProtocolError {
  return new ProtocolError('NOT_FOUND', 'The docs have not been built here. Run `npm run setup` and try again.');
}
