import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A token that is accepted once. */
export type OneTimeToken = {
  /** 22 characters that are valid in a URL. */
  readonly text: string;
  /** Whether `sent` is the token and it is unused. It is used afterwards. */
  take(sent: string): boolean;
};

/** Creates a token of 128 random bits. */
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
