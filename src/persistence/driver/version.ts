import installed from 'pg/package.json' with { type: 'json' };

/**
 * The release of pg for which this folder is written: it also uses what pg does not document, which any other release may have
 * changed. Another one is named here once `test/persistence/driver` passes with it.
 */
export const DRIVER_VERSION = '8.23.0';

/**
 * To be called before the service opens its connections.
 * @throws Error that says what to do, where another release of pg is installed
 */
export function requireDriverVersion(): void {
  if (installed.version === DRIVER_VERSION) return;
  throw new Error(
    `The package pg ${installed.version} is installed, and this release of Laurel works with pg ${DRIVER_VERSION} only.\n` +
      '  Run `npm ci` in the folder of Laurel: it installs the packages that this release was tested with.',
  );
}
