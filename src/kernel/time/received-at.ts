import { type ContextKey, createContextKey } from '@connectrpc/connect';

/**
 * Where the server keeps the moment at which a call was received, in milliseconds of `performance.now()`. Undefined where a
 * call comes from inside the process.
 */
export const receivedAtKey: ContextKey<number | undefined> = createContextKey<number | undefined>(undefined, {
  description: 'received at',
});
