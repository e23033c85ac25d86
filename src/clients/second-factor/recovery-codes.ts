import { hash, randomInt } from 'node:crypto';

/** Codes that a person gets. */
const CODES = 10;

/** Without i, l, o and u, which people misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 16 characters of 32 are 80 bits: what is kept as SHA-256 alone cannot be searched for. */
const LENGTH = 16;

/** Ten codes in groups that people can copy by hand. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
      .join('')
      .replaceAll(/(.{4})(?!$)/g, '$1-'),
  );
}

/** The digest of a code as it is kept. @param code as {@link normalizedCode} gives it */
export function recoveryHash(userId: string, code: string): string {
  return hash('sha256', `laurel recovery code of ${userId.toLowerCase()} ${code}`, 'hex');
}

/** The significant characters of a typed code. */
export function normalizedCode(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toLowerCase();
}

/** The digests of a user, as the column `recovery_code_hashes` holds them. */
export function splitHashes(kept: string | null | undefined): string[] {
  return kept ? kept.split(',') : [];
}
