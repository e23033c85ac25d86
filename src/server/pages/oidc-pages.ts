import type { Logger } from 'pino';
import {
  type Cookie,
  type CookieContext,
  cookieOf,
  cookieSite,
  cookieText,
  requireCookies,
} from '../../clients/sessions/cookies.ts';
import { CHOICES_COOKIE } from '../../clients/sign-in/list-sign-in-methods.ts';
import type { OidcSignIn } from '../../clients/sign-in/oidc.ts';
import { OIDC_CALLBACK } from '../../clients/sign-in/oidc-callback.ts';
import { SEALED_SECONDS } from '../../clients/sign-in/timed-seal.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { ErrorCodeName } from '../../kernel/errors/error-codes.ts';
import { parseId } from '../../kernel/ids.ts';
import { answer } from '../http/answer.ts';
import { channelOf } from '../http/streams/channel.ts';
import type { Exchange } from '../http/exchange.ts';
import { addressOf } from '../http/limits/gate.ts';
import type { Pages } from './pages.ts';
import { methodNotAllowed } from '../http/protocol-error.ts';

/** The path that starts a sign-in at the provider; `ListSignInMethods` returns it. */
export const OIDC_START = '/admin/session/oidc/start';

/** The cookie that a browser has to bring back from the provider. */
const TICKET = 'laurel_oidc';

/** The maximum of characters of the path to return to, because a cookie has to hold it. */
const LONGEST_NEXT = 1_000;

/** The settings of the pages, and the log for their errors. */
export type OidcPagesOptions = {
  readonly logger: Logger;
  readonly trustForwarded?: boolean | undefined;
  /** Whether a session may begin over plain http from another machine. Default false. */
  readonly insecureCookies?: boolean | undefined;
};

/** The two pages of a sign-in at an OpenID Connect provider. Both always answer with a redirect. */
export function createOidcPages(
  signIn: OidcSignIn,
  { logger, trustForwarded = false, insecureCookies = false }: OidcPagesOptions,
): Pages {
  function contextOf({ request, header }: Exchange): CookieContext {
    const site = cookieSite(channelOf(request), insecureCookies);
    return { requestHeader: header, responseHeader: new Headers(), site };
  }

  async function start(exchange: Exchange): Promise<void> {
    const context = contextOf(exchange);
    requireCookies(context);
    const query = new URLSearchParams(queryOf(exchange));
    const clientId = parseId(query.get('clientId') ?? '');
    const { url, ticket } = await signIn.start({ next: nextPage(query.get('next') ?? ''), clientId });
    sendOn(exchange, url.href, ticketCookie(context, ticket));
  }

  async function callback(exchange: Exchange): Promise<void> {
    const context = contextOf(exchange);
    requireCookies(context);
    const address = addressOf(exchange.request, trustForwarded);
    const ticket = cookieOf(context, TICKET) ?? '';
    const { next, choices } = await signIn.finish({ ticket, query: queryOf(exchange), address }, context);
    const cookies = [...ticketCookie(context, ''), ...choicesCookie(context, choices ?? '')];
    if (choices === undefined) sendOn(exchange, next, [...context.responseHeader.getSetCookie(), ...cookies]);
    else sendOn(exchange, chooseClient(next), cookies);
  }

  /** Redirects with an error code. The error message is only for the log, because the person comes from another site. */
  function sendBack(exchange: Exchange, error: unknown): void {
    logger.warn({ err: error, traceId: exchange.traceId }, 'sign-in at the provider failed');
    const code: ErrorCodeName = error instanceof DomainError ? error.code : 'OIDC_FAILED';
    sendOn(exchange, `/console/sign-in?signInError=${code}`, ticketCookie(contextOf(exchange), ''));
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

/** The console's page in `next`. The result is always a page of the console. */
function nextPage(next: string): string {
  const page = next.length > LONGEST_NEXT ? null : URL.parse(`/console${next}`, 'http://localhost');
  return page?.pathname.startsWith('/console/') ? page.pathname + page.search : '/console';
}

/** The page on which a user chooses a client before going to the requested page. */
function chooseClient(next: string): string {
  const page = next.slice('/console'.length);
  return `/console/sign-in?${new URLSearchParams({ choose: '1', ...(page !== '' && { next: page }) })}`;
}

function queryOf({ url, path }: Exchange): string {
  return url.slice(path.length + 1);
}

function sendOn(exchange: Exchange, location: string, cookies: readonly string[]): void {
  if (cookies.length > 0) exchange.response.setHeader('set-cookie', [...cookies]);
  answer(exchange, 303, { location, 'cache-control': 'no-store' }, undefined);
}

/** The cookie is Lax and not Strict, because the browser returns with it from another site. */
function ticketCookie(context: CookieContext, ticket: string): string[] {
  return sealedCookie(context, { name: TICKET, value: ticket, sameSite: 'Lax' });
}

/** The cookie for the sign-in page, which calls `ListSignInMethods` over any protocol. */
function choicesCookie(context: CookieContext, choices: string): string[] {
  return sealedCookie(context, { name: CHOICES_COOKIE, value: choices, sameSite: 'Strict' });
}

/** A cookie of the sign-in; an empty value deletes it. The list is empty if the browser keeps no cookie of this service. */
function sealedCookie({ site }: CookieContext, cookie: Omit<Cookie, 'maxAge'>): string[] {
  const maxAge = cookie.value === '' ? 0 : SEALED_SECONDS;
  return site === undefined ? [] : [cookieText({ ...cookie, maxAge }, site)];
}
