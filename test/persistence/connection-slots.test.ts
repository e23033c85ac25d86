import { expect, test } from 'vitest';
import { createConnectionSlots } from '../../src/persistence/connections/connection-slots.ts';

/** Jobs that take a connection and keep it until the test ends them; `began` lists those that had one, in order. */
function heldWorks(count: number, timeoutMs = 10_000) {
  const slots = createConnectionSlots({ slots: count, timeoutMs, unlimited: 'system' });
  const began: string[] = [];
  const ends: Array<() => void> = [];
  const start = (client: string) =>
    slots.run(client, () => {
      began.push(client);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const endOne = async () => {
    ends.shift()!();
    await new Promise(setImmediate);
  };
  return { began, start, endOne };
}

test('a client holds three quarters of the connections at most, the service itself all of them', () => {
  const { began, start } = heldWorks(8);
  for (let call = 0; call < 10; call += 1) void start('noisy');
  expect(began).toEqual(Array(6).fill('noisy'));
  for (let call = 0; call < 3; call += 1) void start('system');
  expect(began).toHaveLength(8);
});

test('clients in line take slots, however many calls each has', async () => {
  const { began, start, endOne } = heldWorks(1);
  for (let call = 0; call < 4; call += 1) void start('noisy');
  void start('quiet');
  void start('other');
  for (let end = 0; end < 5; end += 1) await endOne();
  expect(began).toEqual(['noisy', 'noisy', 'quiet', 'other', 'noisy', 'noisy']);
});

test('who waits too long is told that the database is busy, and leaves the line', async () => {
  const { began, start, endOne } = heldWorks(1, 10);
  void start('a');
  await expect(start('b')).rejects.toMatchObject({ code: 'DATABASE_BUSY' });
  await endOne();
  void start('c');
  expect(began).toEqual(['a', 'c']);
});

test('work that fails gives its connection back', async () => {
  const slots = createConnectionSlots({ slots: 1, timeoutMs: 10, unlimited: 'system' });
  await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.run('a', async () => 1)).toBe(1);
});
