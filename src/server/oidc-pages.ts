import type { Logger } from 'pino';
import { TICKET_SECONDS } from '../clients/sessions/oidc-ticket.ts';
import type { OidcSignIn } from '../clients/sessions/oidc.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { answer } from './answer.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { addressOf } from './gate.ts';
import type { Pages } from './pages.ts';
import { methodNotAllowed } from './protocol-error.ts';

/** Where a browser goes to sign in at the provider; `ListSignInMethods` tells it. */
export const OIDC_START = '/admin/session/oidc/start';

/** Where the provider sends it back to. */
export const OIDC_CALLBACK = '/admin/session/oidc/callback';

const TICKET = 'laurel_oidc';

/** Characters of a path to come back to; a cookie has to hold them. */
const LONGEST_NEXT = 1_000;

/** What the pages follow of the configuration, and where they say what went wrong. */
export type OidcPagesOptions = { readonly logger: Logger; readonly trustForwarded?: boolean | undefined };

/** The two stops of a browser that signs in at an OpenID Connect provider. Both answer by sending it on, whatever happens. */
export function createOidcPages(signIn: OidcSignIn, { logger, trustForwarded = false }: OidcPagesOptions): Pages {
  async function start(exchange: Exchange): Promise<void> {
    const { url, ticket } = await signIn.start(nextPage(exchange));
    sendOn(exchange, url.href, [ticketCookie(exchange, ticket, TICKET_SECONDS)]);
  }

  async function callback(exchange: Exchange): Promise<void> {
    const context = { requestHeader: exchange.header, responseHeader: new Headers() };
    const address = addressOf(exchange.request, trustForwarded);
    const next = await signIn.finish({ ticket: ticketOf(exchange), query: queryOf(exchange), address }, context);
    sendOn(exchange, next, [...context.responseHeader.getSetCookie(), ticketCookie(exchange, '', 0)]);
  }

  /** The words are for the log: whoever stands at the browser has come from another site. */
  function sendBack(exchange: Exchange, error: unknown): void {
    logger.warn({ err: error, traceId: exchange.traceId }, 'sign-in at the provider failed');
    const code = error instanceof DomainError ? error.code : 'OIDC_FAILED';
    sendOn(exchange, `/console/sign-in?signInError=${code}`, [ticketCookie(exchange, '', 0)]);
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
      ? page(exchange).catch((error: unknown) => sendBack(exchange, error))
      : Promise.reject(methodNotAllowed(exchange.requestMethod, ['GET']));
  };
}

/** The console's page that `next` names. It may name no other: whatever it says, the way ends in the console. */
function nextPage(exchange: Exchange): string {
  const next = new URLSearchParams(queryOf(exchange)).get('next') ?? '';
  const page = next.length > LONGEST_NEXT ? null : URL.parse(`/console${next}`, 'http://localhost');
  return page?.pathname.startsWith('/console/') ? page.pathname + page.search : '/console';
}

function queryOf({ url, path }: Exchange): string {
  return url.slice(path.length + 1);
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
