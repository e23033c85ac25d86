/**
 * Defaults of settings, for the settings and for their modules. They stand apart, because every command reads the settings, and few need
 * those modules: `audit-key` takes 0.1 instead of 0.6 s of processor time.
 */
export const DEFAULT_SETTINGS = {
  /** Definitions in the cache of catalogues; a mission takes about a kilobyte. */
  catalogDefinitions: 100_000,
  /** The most open imports of a client. */
  importsOpen: 100,
  /** The most stored bytes of a client's imports: 8 GiB. */
  importBytes: 8 * 2 ** 30,
  /** Connections per second of an address without an accepted credential; an IPv6 /64 is one address. */
  anonymousConnectionsPerSecond: 20,
  /** Streams without a credential of one address: enough for a machine with many channels that watch the service's health. */
  publicStreams: 100,
} as const;
