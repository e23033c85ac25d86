import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecretBox, UnreadableSecret } from '../../src/kernel/secrets/secret-box.ts';
import { secretKeysFromFile, secretKeysFromText } from '../../src/kernel/secrets/secret-keys.ts';

const old = randomBytes(32);
const current = randomBytes(32);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-keys-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('what is sealed opens again, whatever it holds', () => {
  const box = createSecretBox([current]);
  for (const secret of ['', 'a', 'ünïcode ✓', 'x'.repeat(4096)])
    expect(box.open(box.seal(secret, 'o'), 'o')).toBe(secret);
});

test('the same secret is never sealed to the same text', () => {
  const box = createSecretBox([current]);
  expect(new Set(Array.from({ length: 100 }, () => box.seal('secret', 'o'))).size).toBe(100);
});

test('a sealed text opens for its owner only', () => {
  const box = createSecretBox([current]);
  expect(() => box.open(box.seal('secret', 'client a'), 'client b')).toThrow(UnreadableSecret);
});

test('a sealed text that was altered in any byte does not open', () => {
  const box = createSecretBox([current]);
  const sealed = box.seal('secret', 'o');
  const [version, keyId, payload] = sealed.split('.') as [string, string, string];
  const bytes = Buffer.from(payload, 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const altered = Buffer.from(bytes);
    altered[index]! ^= 1;
    expect(() => box.open(`${version}.${keyId}.${altered.toString('base64url')}`, 'o')).toThrow(UnreadableSecret);
  }
  for (const text of ['', 'secret', `${version}.${keyId}.`, `${version}.${keyId}.AAAA`, `v2.${keyId}.${payload}`]) {
    expect(() => box.open(text, 'o')).toThrow(UnreadableSecret);
  }
});

test('after a rotation the old secrets open, and the new ones only with the new key', () => {
  const before = createSecretBox([old]);
  const rotated = createSecretBox([current, old]);
  const after = createSecretBox([current]);
  const sealedBefore = before.seal('one', 'o');
  const sealedAfter = rotated.seal('two', 'o');
  expect(rotated.open(sealedBefore, 'o')).toBe('one');
  expect(after.open(sealedAfter, 'o')).toBe('two');
  expect(() => before.open(sealedAfter, 'o')).toThrow(UnreadableSecret);
  expect(() => after.open(sealedBefore, 'o')).toThrow(/key [0-9a-f]{8}, which is not configured/);
  expect([rotated.isCurrent(sealedBefore), rotated.isCurrent(sealedAfter)]).toEqual([false, true]);
});

test('keys are read in order, and a mistyped one is refused without being shown', () => {
  const text = `${current.toString('base64')}, ${old.toString('base64url')}`;
  expect(secretKeysFromText(text)).toEqual([current, old]);
  const short = randomBytes(31).toString('base64');
  for (const wrong of ['', 'hello', short, `${current.toString('base64')},`, current.toString('hex')]) {
    expect(() => secretKeysFromText(wrong)).toThrow(/Secret key \d is not base64 of 32 bytes/);
  }
  expect(() => secretKeysFromText(short)).not.toThrow(short);
});

test('processes that start together on one machine make one key file, which only its owner may read', async () => {
  const path = join(folder, 'deep', 'secret.key');
  const keys = await Promise.all(Array.from({ length: 8 }, () => secretKeysFromFile(path)));
  expect(new Set(keys.map(([key]) => key?.toString('hex'))).size).toBe(1);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await secretKeysFromFile(path)).toEqual(secretKeysFromText((await readFile(path, 'utf8')).trim()));
});
