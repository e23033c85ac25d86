import type { HandlerContext } from '@connectrpc/connect';
import { parseCookie } from 'cookie';
import type { Channel } from '../../kernel/concurrency/channel.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';

/**
 * The names of our cookies: `host` uses the prefix `__Host-`, which browsers accept over TLS and from this host only;
 * `plain` is without the prefix, for connections without TLS.
 */
export type CookieSite = 'host' | 'plain';

/** The cookies of a call, for the handlers of sessions. */
export type CookieContext = Pick<HandlerContext, 'requestHeader' | 'responseHeader'> & {
  /** Undefined if cookies are not possible: see {@link requireCookies}. */
  readonly site: CookieSite | undefined;
};

/** The cookie site of a request. Without TLS, cookies work only on this machine or if `insecureCookies` allows them. */
export function cookieSite(channel: Channel, insecureCookies: boolean): CookieSite | undefined {
  if (channel === 'https') return 'host';
  return channel === 'loopback' || insecureCookies ? 'plain' : undefined;
}

/**
 * Refuses a sign-in without cookies, because its session could not be renewed. Call it before a session begins.
 * @throws DomainError `HTTPS_REQUIRED`
 */
export function requireCookies({ site }: Pick<CookieContext, 'site'>): CookieSite {
  if (site !== undefined) return site;
  throw new DomainError(
    'HTTPS_REQUIRED',
    'People sign in over https only. Put a proxy with TLS in front that sends `X-Forwarded-Proto: https`, or, in a network that you trust, start the service with LAUREL_INSECURE_COOKIES=true.',
  );
}

/** The value of the cookie with that name at its site; undefined if it was not sent or is empty. */
export function cookieOf(
  { requestHeader, site }: Omit<CookieContext, 'responseHeader'>,
  name: string,
): string | undefined {
  if (site === undefined) return undefined;
  return parseCookie(requestHeader.get('cookie') ?? '', { decode: asSent })[nameAt(site, name)] || undefined;
}

/** Our values need no percent-encoding, so each has only one spelling. */
function asSent(value: string): string {
  return value;
}

/** A cookie that scripts cannot read. */
export type Cookie = {
  /** The name without the prefix of its site. */
  readonly name: string;
  readonly value: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** Seconds; 0 deletes the cookie. */
  readonly maxAge: number;
};

/** The header that sets a cookie. The prefix `__Host-` requires the path `/`, for Secure, and for no domain. */
export function cookieText({ name, value, sameSite, maxAge }: Cookie, site: CookieSite): string {
  const secure = site === 'host' ? '; Secure' : '';
  return `${nameAt(site, name)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure}`;
}

function nameAt(site: CookieSite, name: string): string {
  return site === 'host' ? `__Host-${name}` : name;
}
