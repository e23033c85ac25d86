import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';

/** The paths of the certificate of a port and of its key, in PEM. */
export type TlsFiles = {
  /** The certificate, followed by the intermediate ones up to the root. */
  readonly certFile: string;
  /** Its private key, without a passphrase. */
  readonly keyFile: string;
};

/** A certificate with its chain, and the key that fits it; PEM. */
export type TlsPair = { readonly cert: Buffer; readonly key: Buffer };

/** The certificate of a port, which may be replaced during operation. */
export type TlsCertificate = {
  readonly pair: TlsPair;
  /** Calls `use` with each new pair, until {@link TlsCertificate.stop}. */
  onReplaced(use: (pair: TlsPair) => void): void;
  /** The expiry of the current certificate, in seconds since 1970. */
  expiresAt(): number;
  /** Logs a failed handshake. */
  refused(error: NodeJS.ErrnoException): void;
  stop(): void;
};

/** The options of {@link openTlsFiles}. */
export type TlsWatchOptions = {
  readonly logger: Logger;
  /** Milliseconds between two reads of the files; 10 s by default. */
  readonly everyMs?: number | undefined;
};

/**
 * Reads the files every few seconds. They are polled, because certificate tools replace links and mounts, for which
 * file watching differs by system. An unusable pair, such as a new certificate without its key yet, is logged once, and
 * the previous pair stays in use.
 * @throws Error if the files cannot be read, are no PEM, or do not belong together
 */
export async function openTlsFiles(
  files: TlsFiles,
  { logger, everyMs = 10_000 }: TlsWatchOptions,
): Promise<TlsCertificate> {
  let pair = await read(files);
  let expiresAt = assertUsable(pair, files);
  let loggedFault = '';
  let use: (pair: TlsPair) => void = () => {};

  async function check(): Promise<void> {
    try {
      const found = await read(files);
      if (found.cert.equals(pair.cert) && found.key.equals(pair.key)) return;
      const until = assertUsable(found, files);
      use(found);
      [pair, expiresAt, loggedFault] = [found, until, ''];
      logger.info({ expiresAt: new Date(until * 1_000) }, 'the TLS certificate was replaced');
    } catch (error) {
      const { message, cause } = error as Error;
      if (message !== loggedFault) logger.warn({ cause }, `${message} The certificate before it stays in use.`);
      loggedFault = message;
    }
  }

  const timer = setInterval(() => void check(), everyMs).unref();
  return {
    pair,
    onReplaced: (listener) => (use = listener),
    expiresAt: () => expiresAt,
    refused({ code }) {
      // Probes of load balancers connect and disconnect every few seconds.
      if (code !== 'ECONNRESET') logger.info({ reason: code }, 'a TLS handshake failed');
    },
    stop: () => clearInterval(timer),
  };
}

async function read({ certFile, keyFile }: TlsFiles): Promise<TlsPair> {
  const [cert, key] = await Promise.all([
    readOne('LAUREL_TLS_CERT_FILE', certFile),
    readOne('LAUREL_TLS_KEY_FILE', keyFile),
  ]);
  return { cert, key };
}

async function readOne(setting: string, path: string): Promise<Buffer> {
  return readFile(path).catch((cause) => {
    throw new Error(`${setting}: ${path} cannot be read.`, { cause });
  });
}

/** Checks a pair and returns its expiry, in seconds since 1970. */
function assertUsable(pair: TlsPair, { certFile, keyFile }: TlsFiles): number {
  try {
    createSecureContext(pair);
    return new X509Certificate(pair.cert).validToDate.getTime() / 1_000;
  } catch (cause) {
    throw new Error(
      `${certFile} and ${keyFile} are no certificate with its key: both have to be PEM, the key without a passphrase, and belong together.`,
      { cause },
    );
  }
}
