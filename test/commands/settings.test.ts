import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';

const released = JSON.parse(
  await readFile(new URL('../fixtures/v0.1.0/settings.json', import.meta.url), 'utf8'),
) as string[];

test('a setting of release 0.1 goes on working under the name that it had there', () => {
  expect(readConfig({ LAUREL_LANES: '3' }).triggerConcurrency).toBe(3);
  expect(readConfig({ LAUREL_LANES: '3', LAUREL_TRIGGER_CONCURRENCY: '4' }).triggerConcurrency).toBe(4);
  expect(() => readConfig({ LAUREL_LANES: 'many' })).toThrow('LAUREL_TRIGGER_CONCURRENCY');
});

test('every setting of release 0.1 is read, or is of another command', () => {
  const read = new Set<string>();
  const env = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(env);
  expect(released.filter((name) => !read.has(name))).toEqual([]);
});
