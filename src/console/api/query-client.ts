import { Code, ConnectError } from '@connectrpc/connect';
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { notifyFailure } from '../feedback/notify.tsx';
import { failureOf } from './failure.ts';

/** Milliseconds for which an answer counts as fresh. A return to a page shows it at once and then fetches it again. */
const FRESH_FOR = 5_000;

/**
 * The cache of the service's answers. Every change invalidates all of it, but only data on the screen is fetched, so
 * that pages need not know the effects of their changes. A failed change shows a notification, unless its page shows
 * the error (`meta: { showsError: true }`), as forms do beside their fields.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // Without a network a call fails at once with a message; a wait for the network would look like endless loading.
      queries: { staleTime: FRESH_FOR, retry: mayRetry, refetchOnWindowFocus: true, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
    mutationCache: new MutationCache({
      onSuccess: () => void client.invalidateQueries(),
      onError(error, _variables, _context, mutation) {
        if (mutation.meta?.['showsError'] !== true) notifyFailure(error);
        // The data on the screen is out of date.
        if (failureOf(error).code === 'VERSION_CONFLICT') void client.invalidateQueries();
      },
    }),
  });
  return client;
}

/** Only temporary failures are retried, twice; a refusal is final. */
function mayRetry(failures: number, error: Error): boolean {
  const { code } = ConnectError.from(error);
  return failures < 2 && (code === Code.Unavailable || code === Code.Unknown);
}
