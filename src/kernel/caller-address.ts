import { type ContextKey, createContextKey, type HandlerContext } from '@connectrpc/connect';

/** The context key under which the server provides the caller's address; empty without a server. */
export const callerAddressKey: ContextKey<() => string> = createContextKey<() => string>(() => '', {
  description: 'caller address',
});

/** The IP address of the caller of a public operation, as seen by the last trusted proxy; may be empty. */
export function callerAddress(context: Pick<HandlerContext, 'values'>): string {
  return context.values.get(callerAddressKey)();
}
