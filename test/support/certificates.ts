import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isExecutable } from './is-executable.ts';

const run = promisify(execFile);

const OPENSSL = (process.env.PATH ?? '')
  .split(':')
  .map((folder) => join(folder, 'openssl'))
  .find(isExecutable);

/** Whether this machine can create certificates; otherwise tests of TLS are skipped. */
export const canCertify = OPENSSL !== undefined;

/** A self-signed certificate of `localhost` and 127.0.0.1, and its key. */
export type TestCertificate = {
  readonly certFile: string;
  readonly keyFile: string;
  /** The certificate that a caller must trust. */
  readonly ca: Buffer;
};

/** Creates a certificate with the machine's openssl. It replaces one of the same name in `folder` by renaming, as tools for renewal do. */
export async function certify(folder: string, name = 'tls'): Promise<TestCertificate> {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', `${keyFile}.new`, '-out', `${certFile}.new`];
  await run(OPENSSL!, ['req', '-x509', ...key, ...files, '-days', '2', '-subj', '/CN=localhost', '-addext', names]);
  // The key first: a reader between the two steps finds a pair that does not match.
  await rename(`${keyFile}.new`, keyFile);
  await rename(`${certFile}.new`, certFile);
  return { certFile, keyFile, ca: await readFile(certFile) };
}
