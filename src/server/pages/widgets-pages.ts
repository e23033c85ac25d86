import { fileURLToPath } from 'node:url';
import type { Exchange } from '../http/exchange.ts';
import { methodNotAllowed, ProtocolError } from '../http/protocol-error.ts';
import type { Pages } from './pages.ts';
import { answerFile, createStaticFiles } from './static-files.ts';

/** The folder of the script, which `npm run setup` writes. */
const widgetsFolder = fileURLToPath(new URL('../../../dist/widgets', import.meta.url));

const PATH = '/widgets.js';

/** Pages of any origin may load it: it has no secret, and its calls need a token. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  // The address stays the same in the next release, which reaches a page five minutes later.
  'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
};

/**
 * `/widgets.js`, the script of `packages/widgets` for pages of integrators. It needs no credential.
 * @param folder the output folder of the build
 */
export function createWidgetsPages(folder: string = widgetsFolder): Pages {
  const load = createStaticFiles(folder);

  async function serve(exchange: Exchange): Promise<void> {
    const files = await load();
    if (!answerFile(exchange, files, PATH.slice(1), HEADERS)) throw notBuilt();
  }

  return (exchange) => {
    if (exchange.path !== PATH) return undefined;
    exchange.protocol = 'http';
    exchange.route = PATH;
    return exchange.requestMethod === 'GET' || exchange.requestMethod === 'HEAD'
      ? serve(exchange)
      : Promise.reject(methodNotAllowed(exchange.requestMethod, ['GET', 'HEAD']));
  };
}

function notBuilt(): ProtocolError {
  return new ProtocolError('NOT_FOUND', 'The widgets have not been built here. Run `npm run setup` and try again.');
}
