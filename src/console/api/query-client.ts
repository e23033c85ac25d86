import { Code, ConnectError } from '@connectrpc/connect';
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { notifyFailure } from '../feedback/notify.tsx';
import { failureOf } from './failure.ts';

/** Milliseconds for which an answer counts as fresh: going back to a page shows it at once and asks again behind it. */
const FRESH_FOR = 5_000;

/**
 * What is known of the service's answers. After every change all of it is asked again, but only what is on the screen is
 * fetched: no page has to know what its changes touch elsewhere. A change that failed is told in a notification, unless
 * its page says so itself (`meta: { tells: true }`), as forms do beside their fields.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // Without a network a call fails at once, and is told; waiting for the network would look like loading for ever.
      queries: { staleTime: FRESH_FOR, retry: mayRetry, refetchOnWindowFocus: true, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
    mutationCache: new MutationCache({
      onSuccess: () => void client.invalidateQueries(),
      onError(error, _variables, _context, mutation) {
        if (mutation.meta?.['tells'] !== true) notifyFailure(error);
        // What is on the screen is older than what the service has.
        if (failureOf(error).code === 'VERSION_CONFLICT') void client.invalidateQueries();
      },
    }),
  });
  return client;
}

/** Only what may pass by itself is tried again, twice: a refusal stays one. */
function mayRetry(failures: number, error: Error): boolean {
  const { code } = ConnectError.from(error);
  return failures < 2 && (code === Code.Unavailable || code === Code.Unknown);
}
