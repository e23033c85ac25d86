/** The address of the sign-in that leads back to `from`, and says why it asks if a session ran out. */
export function signInPath(from: string, expired: boolean): string {
  const query = new URLSearchParams();
  if (from !== '/') query.set('next', from);
  if (expired) query.set('expired', '1');
  return query.size === 0 ? '/sign-in' : `/sign-in?${query}`;
}

/** Where to go after signing in: only to a page of this console, whatever the address says. */
export function nextPath(query: URLSearchParams): string {
  const next = query.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}
