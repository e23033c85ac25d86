/** The value of a cookie in the header of that name; undefined where it was not sent. */
export function cookieOf(header: string | null | undefined, name: string): string | undefined {
  return new RegExp(`(?:^|;) *${name}=([^; ]+)`).exec(header ?? '')?.[1];
}

/** A cookie that no script reads. */
export type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** Seconds; 0 has the browser forget it. */
  readonly maxAge: number;
};

/**
 * The header that sets a cookie.
 * @param forwardedProto the request's header `X-Forwarded-Proto`: TLS ends at a proxy, so that this is all we know of it.
 * Whoever makes it up restricts his own cookie only.
 */
export function cookieText(cookie: Cookie, forwardedProto: string | null | undefined): string {
  const { name, value, path, sameSite, maxAge } = cookie;
  const isSecure = forwardedProto?.split(',')[0]?.trim() === 'https';
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
}
