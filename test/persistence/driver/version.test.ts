import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DRIVER_VERSION, requireDriverVersion } from '../../../src/persistence/driver/driver.ts';

async function json<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')) as T;
}

test('pg is of the release that the driver is written for: as declared, as locked, and as installed', async () => {
  const declared = await json<{ dependencies: Record<string, string> }>('package.json');
  const locked = await json<{ packages: Record<string, { version?: string }> }>('package-lock.json');
  const installed = await json<{ version: string }>('node_modules/pg/package.json');
  expect(declared.dependencies['pg']).toBe(DRIVER_VERSION);
  expect(installed.version).toBe(DRIVER_VERSION);
  // MikroORM has no separate copy, whose clients the driver would get.
  const copies = Object.entries(locked.packages).filter(([path]) => path.endsWith('node_modules/pg'));
  expect(copies.map(([path, { version }]) => [path, version])).toEqual([['node_modules/pg', DRIVER_VERSION]]);
  expect(requireDriverVersion).not.toThrow();
});
