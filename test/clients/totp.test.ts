import { Secret } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { newTotpSecret, stepOfCode, totpUri } from '../../src/clients/second-factor/totp.ts';

/** RFC 6238, appendix B: seconds since 1970 and the code of SHA-1. Apps show the last six of its eight digits. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

const secret = Secret.fromUTF8('12345678901234567890').base32;

describe('a code', () => {
  test.each(VECTORS)('of second %i is that of RFC 6238', (seconds, code) => {
    expect(stepOfCode(secret, code.slice(-6), new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30));
  });

  test('is accepted thirty seconds before and after, with the step to which it belongs', () => {
    const at = (seconds: number) => stepOfCode(secret, '287082', new Date(seconds * 1_000));
    expect([at(0), at(30), at(60), at(89), at(90)]).toEqual([1, 1, 1, 1, undefined]);
  });
});

test('a secret has 160 bits, each time others, and the address names it with the service and the person', () => {
  const made = newTotpSecret();
  expect(Secret.fromBase32(made).bytes).toHaveLength(20);
  expect(newTotpSecret()).not.toBe(made);
  expect(totpUri(made, 'grace@example.com')).toBe(
    `otpauth://totp/Laurel:grace%40example.com?issuer=Laurel&secret=${made}&algorithm=SHA1&digits=6&period=30`,
  );
});
