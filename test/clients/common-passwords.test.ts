import { expect, test } from 'vitest';
import { isCommonPassword } from '../../src/clients/users/common-passwords.ts';

test.each([
  'password',
  'Password1234',
  '!!Sunshine2024',
  'qwertyuiop123',
  'passwordpassword',
  'abababababab',
  '111111111111',
  '123456789012',
])('%s is common', async (password) => {
  expect(await isCommonPassword(password)).toBe(true);
});

test.each([
  'correct horse battery staple',
  'a longer password 7',
  '7f3Kx-9qLmW-Zt4Rb-2HnVc',
  'yellow 8472910563',
  'ñandú de la montaña',
  '',
])('%s is not', async (password) => {
  expect(await isCommonPassword(password)).toBe(false);
});
