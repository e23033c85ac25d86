import { type ContextKey, createContextKey } from '@connectrpc/connect';

/**
 * How a request came, as far as a browser's cookies care: `https` by TLS, which ends here or at a proxy; `loopback` without it, from
 * this machine; `plain` without it, from another one.
 */
export type Channel = 'https' | 'loopback' | 'plain';

/** Where the server keeps the channel of a public operation's call; what calls from inside the process is on this machine. */
export const channelKey: ContextKey<() => Channel> = createContextKey<() => Channel>(() => 'loopback', {
  description: 'channel',
});
