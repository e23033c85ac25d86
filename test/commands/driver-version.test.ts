import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { DRIVER_VERSION } from '../../src/persistence/driver/driver.ts';
import { laurel } from '../support/laurel.ts';

const NODE_OPTIONS = `--import ${pathToFileURL(join(import.meta.dirname, 'other-driver.mjs')).href}`;

/** An unused port: the refusal does not come from the database. */
const DATABASE_URL = 'postgres://laurel@127.0.0.1:1/laurel';

test.each(['serve', 'migrate', 'doctor'])(
  'where another release of pg is installed, `%s` does not begin, and says what to install',
  { timeout: 60_000 },
  async (command) => {
    const { code, words } = await laurel([command], { DATABASE_URL, NODE_OPTIONS });
    expect(words).toContain(`pg 8.99.0 is installed, and this release of Laurel works with pg ${DRIVER_VERSION} only`);
    expect(words).toContain('`npm ci`');
    expect(code).toBe(1);
  },
);
