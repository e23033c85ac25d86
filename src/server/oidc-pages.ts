import type { Logger } from 'pino';
import type { OidcSignIn } from '../clients/sessions/oidc.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { answer } from './answer.ts';
import { type Exchange, headerOf } from './exchange.ts';
import type { Pages } from './pages.ts';
import { methodNotAllowed } from './protocol-error.ts';

/** Where a browser goes to sign in at the provider; `ListSignInMethods` tells it. */
export const OIDC_START = '/admin/session/oidc/start';

/** Where the provider sends it back to. */
export const OIDC_CALLBACK = '/admin/session/oidc/callback';

const TICKET = 'laurel_oidc';

/** Seconds that somebody may take to sign in at the provider. */
const TICKET_FOR = 600;

/** The two stops of a browser that signs in at an OpenID Connect provider. Both answer by sending it on. */
export function createOidcPages(signIn: OidcSignIn, logger: Logger): Pages {
  async function start(exchange: Exchange): Promise<void> {
    const { url, ticket } = await signIn.start();
    sendOn(exchange, url.href, [ticketCookie(exchange, ticket, TICKET_FOR)]);
  }

  async function callback(exchange: Exchange): Promise<void> {
    const context = { requestHeader: exchange.header, responseHeader: new Headers() };
    const forget = ticketCookie(exchange, '', 0);
    try {
      await signIn.finish(ticketOf(exchange), exchange.url.slice(exchange.path.length + 1), context);
      sendOn(exchange, '/console', [...context.responseHeader.getSetCookie(), forget]);
    } catch (error) {
      // The words are for the log: whoever stands at the browser has come from another site.
      logger.warn({ err: error, traceId: exchange.traceId }, 'sign-in at the provider failed');
      const code = error instanceof DomainError ? error.code : 'OIDC_FAILED';
      sendOn(exchange, `/console?signInError=${code}`, [forget]);
    }
  }

  const pages = new Map([
    [OIDC_START, start],
    [OIDC_CALLBACK, callback],
  ]);
  return (exchange) => {
    const page = pages.get(exchange.path);
    if (page === undefined) return undefined;
    exchange.protocol = 'http';
    exchange.route = exchange.path;
    return exchange.requestMethod === 'GET'
      ? page(exchange)
      : Promise.reject(methodNotAllowed(exchange.requestMethod, ['GET']));
  };
}

function sendOn(exchange: Exchange, location: string, cookies: readonly string[]): void {
  exchange.response.setHeader('set-cookie', [...cookies]);
  answer(exchange, 303, { location, 'cache-control': 'no-store' }, undefined);
}

/** Lax and not Strict, because the browser brings it back from another site. */
function ticketCookie({ request }: Exchange, value: string, maxAge: number): string {
  const isSecure = headerOf(request, 'x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
  const attributes = ['Path=/admin/session/oidc', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax'];
  return [`${TICKET}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
}

function ticketOf({ request }: Exchange): string {
  return new RegExp(`(?:^|;) *${TICKET}=([^; ]+)`).exec(headerOf(request, 'cookie') ?? '')?.[1] ?? '';
}
