import type { createBrowserRouter, To } from 'react-router';
import { parsePath } from 'react-router';

type Router = ReturnType<typeof createBrowserRouter>;

/** The client of a page, in the query of its address. */
const CLIENT = 'client';

/** The id of the client in the query `search` of an address; null without one. */
export function clientIn(search: string): string | null {
  return new URLSearchParams(search).get(CLIENT);
}

/** The overview of a client: the first page after its choice. */
export function clientPath(clientId: string): string {
  return `/?${new URLSearchParams({ [CLIENT]: clientId })}`;
}

/** A query that names the client; one that names a client already stays as it is. */
export function withClient(search: string, clientId: string): string {
  const query = new URLSearchParams(search);
  if (!query.has(CLIENT)) query.set(CLIENT, clientId);
  return `?${query}`;
}

/**
 * Lets every address that the router makes name the client: those that it goes to, and those of links, which people copy and open in other
 * tabs. So no page and no link has to think of it.
 * @param clientId the client of this tab; undefined before the sign-in, which leaves addresses unchanged
 */
export function namingClient(router: Router, clientId: () => string | undefined): Router {
  const { navigate, createHref } = router;
  return Object.assign(router, {
    navigate(to: To | number | null, options?: Parameters<Router['navigate']>[1]): Promise<void> {
      const id = clientId();
      if (typeof to === 'number') return navigate(to);
      if (to === null || id === undefined) return navigate(to, options);
      const path = typeof to === 'string' ? parsePath(to) : to;
      return navigate({ ...path, search: withClient(path.search ?? '', id) }, options);
    },
    createHref(location: Parameters<Router['createHref']>[0]): string {
      const id = clientId();
      if (id === undefined) return createHref(location);
      const { pathname, search, hash } = location;
      return createHref({ pathname, search: withClient(search, id), hash } as typeof location);
    },
  });
}
