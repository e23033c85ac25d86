import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { REWARD_TYPES } from '../../src/rewards/definitions/reward-types.ts';

test('the guide tells what a reward of every type delivers and where it is read', async () => {
  const page = await readFile(new URL('../../docs/guide/rewards.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| [^|]+ \| [^|]+ \|$/gm)].map(([, type]) => type);
  expect(new Set(rows)).toEqual(new Set(REWARD_TYPES));
});
