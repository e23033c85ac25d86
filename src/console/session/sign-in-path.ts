import { clientIn } from './client-address.ts';

/**
 * Where this tab keeps the address that somebody asked for before he signed in. Its query may name people (a filter by
 * e-mail), and the address of the sign-in travels to the provider and into the logs on the way.
 */
const ASKED_FOR = 'laurel.asked-for';

type Asked = { readonly path: string; readonly search: string };

/** The address of the sign-in that leads back to a page. It names the page and its client, and nothing else of the query. */
export function signInPath({ pathname, search }: { readonly pathname: string; readonly search: string }): string {
  const client = clientIn(search);
  const next = client === null ? pathname : `${pathname}?${new URLSearchParams({ client })}`;
  return next === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next })}`;
}

/**
 * Turns the address of a page into that of the sign-in which leads back to it, before the router reads it. `base` is the path
 * that all of the console is below.
 */
export function signInFirst(base: string): void {
  const { search } = window.location;
  const pathname = window.location.pathname.slice(base.length) || '/';
  if (pathname === '/sign-in') return;
  keepAsked({ pathname, search });
  window.history.replaceState(null, '', base + signInPath({ pathname, search }));
}

/** Keeps the whole address in this tab until {@link forgetAsked}. */
export function keepAsked({ pathname, search }: { readonly pathname: string; readonly search: string }): void {
  sessionStorage.setItem(ASKED_FOR, JSON.stringify({ path: pathname, search } satisfies Asked));
}

/** The query that the page at `pathname` was asked for with before the sign-in; undefined if none is kept for it. */
export function askedSearch(pathname: string): string | undefined {
  try {
    const asked = JSON.parse(sessionStorage.getItem(ASKED_FOR) ?? '{}') as Partial<Asked>;
    return asked.path === pathname ? asked.search : undefined;
  } catch {
    return undefined;
  }
}

/** Forgets what {@link keepAsked} kept. */
export function forgetAsked(): void {
  sessionStorage.removeItem(ASKED_FOR);
}

/** Where to go after signing in: only to a page of this console, whatever the address says. */
export function nextPath(query: URLSearchParams): string {
  const next = query.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}
