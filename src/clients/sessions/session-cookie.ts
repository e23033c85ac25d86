import { type CookieContext, cookieOf, cookieText } from './cookies.ts';

const NAME = 'laurel_session';

/** The value of the session's cookie; undefined if it was not sent. */
export function sessionCookie(context: CookieContext): string | undefined {
  return cookieOf(context, NAME);
}

/** Sets the session's cookie, and forbids caches to store the answer, which contains a token. */
export function setSessionCookie(context: CookieContext, token: string, expiresAt: Date, now: Date): void {
  writeCookie(context, token, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));
}

/** Deletes the session's cookie in the browser. */
export function clearSessionCookie(context: CookieContext): void {
  writeCookie(context, '', 0);
}

/** Requests from other sites do not send this cookie. It lasts for `maxAge` seconds. */
function writeCookie({ responseHeader, site }: CookieContext, value: string, maxAge: number): void {
  responseHeader.set('cache-control', 'no-store');
  if (site === undefined) return;
  responseHeader.append('set-cookie', cookieText({ name: NAME, value, sameSite: 'Strict', maxAge }, site));
}
