import installed from 'pg/package.json' with { type: 'json' };

/**
 * The release of pg for which this folder is written: it also uses undocumented parts, which any other release may change. Change it after
 * `test/persistence/driver` passes with the new release.
 */
export const DRIVER_VERSION = '8.23.0';

/**
 * Checks the release of pg. Call it before the service opens connections.
 * @throws Error with the remedy, if another release of pg is installed
 */
export function requireDriverVersion(): void {
  if (installed.version === DRIVER_VERSION) return;
  throw new Error(
    `The package pg ${installed.version} is installed, and this release of Laurel works with pg ${DRIVER_VERSION} only.\n` +
      '  Run `npm ci` in the folder of Laurel: it installs the packages that this release was tested with.',
  );
}
