import { describe, expect, test } from 'vitest';
import { cookieOf, type CookieSite } from '../../src/clients/sessions/cookies.ts';

const read = (cookie: string, site: CookieSite | undefined = 'plain') =>
  cookieOf({ requestHeader: new Headers({ cookie }), site }, 'laurel_session');

describe('a cookie', () => {
  test.each([
    ['alone', 'laurel_session=abc'],
    ['among others', 'a=1; b="2;3; laurel_session=abc;c'],
    ['without the space after the semicolon', 'a=1;laurel_session=abc;'],
    ['first of two of its name', 'laurel_session=abc; laurel_session=def'],
    ['after a word that is no pair', 'hello; laurel_session=abc'],
  ])('is found %s', (_where, header) => expect(read(header)).toBe('abc'));

  test('has the value that was sent: an equals sign belongs to it, and nothing is decoded', () => {
    expect(read('laurel_session=a=b%41+"c"')).toBe('a=b%41+"c"');
    expect(read('laurel_session=%61bc')).not.toBe('abc');
  });

  test.each(['', 'laurel_session=', 'laurel_session', 'xlaurel_session=abc', 'Laurel_Session=abc', '__proto__=abc'])(
    'is absent in `%s`',
    (header) => expect(read(header)).toBeUndefined(),
  );

  test('of a host that is reached over TLS has the prefix, and none is read where none is kept', () => {
    expect(read('laurel_session=abc', 'host')).toBeUndefined();
    expect(read('__Host-laurel_session=abc; laurel_session=def', 'host')).toBe('abc');
    expect(
      cookieOf({ requestHeader: new Headers({ cookie: 'laurel_session=abc' }), site: undefined }, 'laurel_session'),
    ).toBe(undefined);
  });
});
