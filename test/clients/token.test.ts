import { describe, expect, test } from 'vitest';
import { hashToken, newToken, parseToken, type TokenKind, tokenHint } from '../../src/clients/credentials/token.ts';

const CLIENT = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('tokens', () => {
  test.each<[TokenKind, string]>([
    ['API_KEY', 'lrl_key_'],
    ['ACCESS_TOKEN', 'lrl_adm_'],
  ])('an %s names its kind and its client', (kind, prefix) => {
    const token = newToken(kind, CLIENT);
    expect(token.startsWith(prefix)).toBe(true);
    expect(token).toHaveLength(68);
    expect(parseToken(token)).toEqual({ kind, clientId: CLIENT });
  });

  test.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
    'every uuid fits: %s',
    (id) => {
      expect(parseToken(newToken('API_KEY', id))?.clientId).toBe(id);
    },
  );

  test('two tokens of one client differ, and so do their hashes', () => {
    const [one, two] = [newToken('API_KEY', CLIENT), newToken('API_KEY', CLIENT)];
    expect(one).not.toBe(two);
    expect(hashToken(one).equals(hashToken(two))).toBe(false);
    expect(hashToken(one)).toHaveLength(32);
  });

  test('a token with any one character changed is refused without a look-up', () => {
    const token = newToken('API_KEY', CLIENT);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'x' ? 'y' : 'x';
      expect(parseToken(token.slice(0, index) + other + token.slice(index + 1))).toBeUndefined();
    }
  });

  test.each([
    '',
    'lrl_key_',
    'Bearer',
    `${newToken('API_KEY', CLIENT)}x`,
    ` ${newToken('API_KEY', CLIENT)}`,
    'lrl_key_é'.padEnd(68, '0'),
  ])('what is no token is refused: %j', (text) => {
    expect(parseToken(text)).toBeUndefined();
  });

  test('a hint is the end of the token and never enough to use it', () => {
    const token = newToken('ACCESS_TOKEN', CLIENT);
    expect(token.endsWith(tokenHint(token))).toBe(true);
    expect(tokenHint(token)).toHaveLength(4);
  });
});
