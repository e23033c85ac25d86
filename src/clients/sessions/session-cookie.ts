import { type CookieContext, cookieOf, cookieText } from './cookies.ts';

const NAME = 'laurel_session';

/** The value of the session's cookie, or undefined where none was sent. */
export function sessionCookie(context: CookieContext): string | undefined {
  return cookieOf(context, NAME);
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
function writeCookie({ responseHeader, site }: CookieContext, value: string, maxAge: number): void {
  responseHeader.set('cache-control', 'no-store');
  if (site === undefined) return;
  responseHeader.append('set-cookie', cookieText({ name: NAME, value, sameSite: 'Strict', maxAge }, site));
}
