import { type ContextKey, createContextKey } from '@connectrpc/connect';

/**
 * The context key of the time at which the server received a call, in milliseconds of `performance.now()`. Undefined for a call from inside
 * the process.
 */
export const receivedAtKey: ContextKey<number | undefined> = createContextKey<number | undefined>(undefined, {
  description: 'received at',
});
