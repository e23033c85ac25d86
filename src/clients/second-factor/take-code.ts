import { DomainError } from '../../kernel/errors/domain-error.ts';
import { type SecretBox, UnreadableSecret } from '../../kernel/secrets/secret-box.ts';
import type { ConsoleUserEntity } from '../users/console-user.entity.ts';
import { normalizedCode, recoveryHash, splitHashes } from './recovery-codes.ts';
import { isUsedStep, stepOfCode } from './totp.ts';

/** The means by which a user has shown the second factor. */
export type Shown = { readonly by: 'APP' } | { readonly by: 'RECOVERY_CODE'; readonly left: number };

/** The owner that a user's secret is encrypted for: a secret of another user cannot be decrypted. */
export function secretOwner({ clientId, id }: { clientId: string; id: string }): string {
  return `${clientId.toLowerCase()}/console_user/${id.toLowerCase()}/second factor`;
}

/**
 * Uses up a code of a user. The user's row is locked, so that the second of two callers with one code finds it used. The caller flushes.
 * @returns undefined for a wrong or used code
 * @throws DomainError `SECOND_FACTOR_REFUSED` if the key of the secret is lost; recovery codes need no key
 */
export function takeCode(user: ConsoleUserEntity, typed: string, secrets: SecretBox, now: Date): Shown | undefined {
  const code = normalizedCode(typed);
  if (!/^\d{6}$/.test(code)) return takeRecoveryCode(user, code);
  const step = stepOfCode(openSecret(user, secrets), code, now);
  if (step === undefined || isUsedStep(step, user.secondFactorStep, now)) return undefined;
  user.secondFactorStep = step;
  return { by: 'APP' };
}

function takeRecoveryCode(user: ConsoleUserEntity, code: string): Shown | undefined {
  const kept = splitHashes(user.recoveryCodeHashes);
  const hash = recoveryHash(user.id, code);
  if (!kept.includes(hash)) return undefined;
  const left = kept.filter((each) => each !== hash);
  user.recoveryCodeHashes = left.join(',');
  return { by: 'RECOVERY_CODE', left: left.length };
}

function openSecret(user: ConsoleUserEntity, secrets: SecretBox): string {
  try {
    return secrets.open(user.secondFactorSealed ?? '', secretOwner(user));
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    throw new DomainError(
      'SECOND_FACTOR_REFUSED',
      'The key that the secret of this second factor was sealed under is not configured. Send a recovery code, or ask an administrator to reset the second factor.',
    );
  }
}

/** The error for a correct password without a code. */
export function secondFactorRequired(): DomainError {
  return new DomainError(
    'SECOND_FACTOR_REQUIRED',
    'The password is right. Send it again with secondFactor: the code that the authenticator app shows, or a recovery code.',
  );
}

/** The error for a wrong or used code. */
export function codeRefused(): DomainError {
  return new DomainError(
    'SECOND_FACTOR_REFUSED',
    'The code is wrong, too old, or was used before. Send the next one that the app shows, or a recovery code that has not been used.',
  );
}

/** The error for a user without a second factor. */
export function factorMissing(): DomainError {
  return new DomainError('SECOND_FACTOR_NOT_ENABLED', 'There is no second factor, or none that waits to be confirmed.');
}

/** The error for a user who already has a second factor. */
export function factorEnabled(): DomainError {
  return new DomainError('SECOND_FACTOR_ENABLED', 'There is a second factor already. Switch it off first.');
}

/** The values that remove a second factor. */
export const NO_SECOND_FACTOR = {
  secondFactorSealed: null,
  secondFactorAt: null,
  secondFactorStep: null,
  recoveryCodeHashes: null,
} as const;
