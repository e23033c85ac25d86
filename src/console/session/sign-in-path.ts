import { clientIn } from './client-address.ts';

/**
 * The storage key of the address requested before the sign-in. Its query may contain personal data (a filter by e-mail), and the address of
 * the sign-in reaches the provider and logs.
 */
const ASKED_FOR = 'laurel.asked-for';

type Asked = { readonly path: string; readonly search: string };

/** The address of the sign-in that leads back to a page. It contains the page and its client, without the rest of the query. */
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

/** The stored query of the page at `pathname` from before the sign-in; undefined without one. */
export function askedSearch(pathname: string): string | undefined {
  try {
    const asked = JSON.parse(sessionStorage.getItem(ASKED_FOR) ?? '{}') as Partial<Asked>;
    return asked.path === pathname ? asked.search : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the address that {@link keepAsked} stored. */
export function forgetAsked(): void {
  sessionStorage.removeItem(ASKED_FOR);
}

/** The page after the sign-in: always a page of this console, regardless of the address. */
export function nextPath(query: URLSearchParams): string {
  const next = query.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}
