import { expect, test } from 'vitest';
import { isCommonPassword, isMadeOfKnownWords } from '../../src/clients/users/common-passwords.ts';

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

test.each(['Laurel-Admin-2026', 'laurellaurel1', 'ana.lopez-12345', 'Lopez@Coffeeshop!1', 'gamification2026'])(
  '%s is made of words of ours or of the e-mail',
  (password) => {
    expect(isMadeOfKnownWords(password, 'Ana.Lopez@coffeeshop.example')).toBe(true);
  },
);

test.each(['laurel grows beside the river', 'correct horse battery staple', 'ana eats four pears'])(
  '%s is not made of them, though it may hold one',
  (password) => {
    expect(isMadeOfKnownWords(password, 'Ana.Lopez@coffeeshop.example')).toBe(false);
  },
);
