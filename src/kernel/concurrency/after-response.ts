import { type ContextKey, createContextKey, type HandlerContext } from '@connectrpc/connect';

/** Registers callbacks for the time after the response. The server adds one to the context values of every call. */
export type ResponseHooks = (callback: () => void) => void;

/** The context key of a call's hooks. Without a server the callback runs in a separate microtask. */
export const responseHooksKey: ContextKey<ResponseHooks> = createContextKey<ResponseHooks>(queueMicrotask, {
  description: 'response hooks',
});

/**
 * Runs `callback` once, after the response of this call was written or its caller has disconnected, for any protocol. A webhook must not
 * overtake the answer to the call that caused it. Errors of `callback` are logged, not returned.
 */
export function afterResponse(context: Pick<HandlerContext, 'values'>, callback: () => void): void {
  context.values.get(responseHooksKey)(callback);
}
