import type { HandlerContext } from '@connectrpc/connect';
import { cookieOf, cookieText } from './cookies.ts';

/** What the handlers of sessions read and write of a call's headers. */
export type CookieContext = Pick<HandlerContext, 'requestHeader' | 'responseHeader'>;

const NAME = 'laurel_session';

/** The value of the session's cookie, or undefined where none was sent. */
export function sessionCookie({ requestHeader }: CookieContext): string | undefined {
  return cookieOf(requestHeader.get('cookie'), NAME);
}

/** Sets the session's cookie, and forbids caches to keep the answer, which holds a token. */
export function setSessionCookie(context: CookieContext, token: string, expiresAt: Date, now: Date): void {
  writeCookie(context, token, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));
}

/** Has the browser forget the session's cookie. */
export function clearSessionCookie(context: CookieContext): void {
  writeCookie(context, '', 0);
}

/** No other site's page has it sent. Lasting for `maxAge` seconds. */
function writeCookie({ requestHeader, responseHeader }: CookieContext, value: string, maxAge: number): void {
  const cookie = { name: NAME, value, path: '/', sameSite: 'Strict', maxAge } as const;
  responseHeader.set('set-cookie', cookieText(cookie, requestHeader.get('x-forwarded-proto')));
  responseHeader.set('cache-control', 'no-store');
}
