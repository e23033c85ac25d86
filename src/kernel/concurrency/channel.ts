import { type ContextKey, createContextKey } from '@connectrpc/connect';

/**
 * The security of a request's connection for cookies: `https` with TLS, which ends here or at a proxy; `loopback` without TLS from this
 * machine; `plain` without TLS from another machine.
 */
export type Channel = 'https' | 'loopback' | 'plain';

/**
 * The context key under which the server provides the channel of a public operation's call; calls from inside the process are `loopback`.
 */
export const channelKey: ContextKey<() => Channel> = createContextKey<() => Channel>(() => 'loopback', {
  description: 'channel',
});
