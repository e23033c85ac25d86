import { type ContextKey, createContextKey, type HandlerContext } from '@connectrpc/connect';

/** Takes callbacks until the response has been written. The server puts one into the context values of every call. */
export type ResponseHooks = (callback: () => void) => void;

/** Where the server keeps the hooks of a call. Without a server the callback runs at once, in a microtask of its own. */
export const responseHooksKey: ContextKey<ResponseHooks> = createContextKey<ResponseHooks>(queueMicrotask, {
  description: 'response hooks',
});

/**
 * Runs `callback` once, after the response of this call has been written or its caller has gone, whatever the protocol.
 * A webhook must not overtake the answer to the call that caused it. What `callback` throws is logged, not answered.
 */
export function afterResponse(context: Pick<HandlerContext, 'values'>, callback: () => void): void {
  context.values.get(responseHooksKey)(callback);
}
