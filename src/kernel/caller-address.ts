import { type ContextKey, createContextKey, type HandlerContext } from '@connectrpc/connect';

/** Where the server keeps how to find the caller's address; without a server there is no address. */
export const callerAddressKey: ContextKey<() => string> = createContextKey<() => string>(() => '', {
  description: 'caller address',
});

/** IP address of the caller of a public operation, as the last proxy that is trusted has seen it; may be empty. */
export function callerAddress(context: Pick<HandlerContext, 'values'>): string {
  return context.values.get(callerAddressKey)();
}
