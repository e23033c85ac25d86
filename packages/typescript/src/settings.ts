import type { Transport } from '@connectrpc/connect';
import { type CallSettings, callTransport, type Hooks } from './call-transport.ts';
import { fetchTransport } from './fetch-transport.ts';
import { Account_IdType } from './gen/laurel/v1/account_pb.ts';

/** The kind of an account id: EXTERNAL for your own ids, INTERNAL for Laurel's UUIDs. */
export type IdType = 'EXTERNAL' | 'INTERNAL';

/** The settings of a client; all have defaults where environment variables exist. */
export type LaurelOptions = {
  /** The address of the service, such as `https://laurel.example`. By default the environment variable `LAUREL_URL`. */
  readonly url?: string | undefined;
  /** The API key or a token. By default the environment variable `LAUREL_KEY`. A function is asked before each attempt. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** The kind of the account ids in calls that do not say it. EXTERNAL by default. */
  readonly idType?: IdType | undefined;
  /** The deadline of a call with all its attempts, in milliseconds; 5,000 by default, 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** The greatest number of repeats of one call; 4 by default. */
  readonly retriesMax?: number | undefined;
  readonly hooks?: Hooks | undefined;
  /** A replacement for the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** A transport instead of `url` and `fetch`, such as gRPC by `@connectrpc/connect-node`. */
  readonly transport?: Transport | undefined;
};

/** The number of an id type in the protos. */
export function idTypeOf(idType: IdType | undefined): Account_IdType {
  return Account_IdType[idType ?? 'ID_TYPE_UNSPECIFIED'];
}

/**
 * The transport of a client.
 * @throws TypeError without an address or a key
 */
export function transportOf(options: LaurelOptions): Transport {
  const { idType = 'EXTERNAL', timeoutMs = 5_000, retriesMax = 4, hooks = {} } = options;
  const key = options.key ?? environment('LAUREL_KEY');
  if (key === undefined && options.transport === undefined) {
    throw new TypeError('No key: pass `key`, or set the environment variable LAUREL_KEY.');
  }
  const settings: CallSettings = {
    key: typeof key === 'function' ? key : () => key,
    idType: idTypeOf(idType),
    timeoutMs,
    retriesMax,
    hooks,
    isBinary: options.transport !== undefined,
  };
  return callTransport(options.transport ?? ownTransport(options), settings);
}

function ownTransport({ url = environment('LAUREL_URL'), fetch }: LaurelOptions): Transport {
  if (url === undefined) throw new TypeError('No address: pass `url`, or set the environment variable LAUREL_URL.');
  // Unbound, because `fetch` refuses to be the method of another object.
  return fetchTransport(url, fetch ?? ((input, init) => globalThis.fetch(input, init)));
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
