import { hash, randomInt } from 'node:crypto';

/** Codes per person. */
const CODES = 10;

/** Without i, l, o and u, which people misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 16 characters of 32 have 80 bits, so that a stored SHA-256 cannot be reversed by a search. */
const LENGTH = 16;

/** Ten codes in groups that people can copy by hand. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
      .join('')
      .replaceAll(/(.{4})(?!$)/g, '$1-'),
  );
}

/**
 * The stored digest of a code.
 * @param code a result of {@link normalizedCode}
 */
export function recoveryHash(userId: string, code: string): string {
  return hash('sha256', `laurel recovery code of ${userId.toLowerCase()} ${code}`, 'hex');
}

/** The significant characters of a typed code. */
export function normalizedCode(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toLowerCase();
}

/** The recovery digests of a user, from the column `recovery_code_hashes`. */
export function splitHashes(kept: string | null | undefined): string[] {
  return kept ? kept.split(',') : [];
}
