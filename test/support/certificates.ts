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

/** Whether certificates can be made here; else tests of TLS are skipped. */
export const canCertify = OPENSSL !== undefined;

/** A certificate of `localhost` and 127.0.0.1, signed by itself, and its key. */
export type TestCertificate = {
  readonly certFile: string;
  readonly keyFile: string;
  /** What a caller trusts in order to trust it. */
  readonly ca: Buffer;
};

/** Makes one by the machine's openssl; where `folder` has one of the same name, it is replaced as renewers do: by renaming. */
export async function certify(folder: string, name = 'tls'): Promise<TestCertificate> {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', `${keyFile}.new`, '-out', `${certFile}.new`];
  await run(OPENSSL!, ['req', '-x509', ...key, ...files, '-days', '2', '-subj', '/CN=localhost', '-addext', names]);
  // The key first: what looks in between finds a pair that does not belong together.
  await rename(`${keyFile}.new`, keyFile);
  await rename(`${certFile}.new`, certFile);
  return { certFile, keyFile, ca: await readFile(certFile) };
}
