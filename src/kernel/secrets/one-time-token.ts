import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A word that opens something once. */
export type OneTimeToken = {
  /** 22 characters that may stand in an address. */
  readonly text: string;
  /** Whether it is the word, and nobody has used it yet. Then it is used. */
  take(sent: string): boolean;
};

/** A new one, of 128 random bits. */
export function createOneTimeToken(): OneTimeToken {
  const text = randomBytes(16).toString('base64url');
  const digest = hash('sha256', text, 'buffer');
  let isUsed = false;
  return {
    text,
    take(sent) {
      if (isUsed || !timingSafeEqual(hash('sha256', sent, 'buffer'), digest)) return false;
      isUsed = true;
      return true;
    },
  };
}
