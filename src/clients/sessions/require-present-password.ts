import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Call } from '../call.ts';
import { attempt } from '../sign-in/attempts.ts';
import { presentPasswordCounter } from '../sign-in/counters.ts';
import { isPassword } from '../users/password.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import { requireUser } from './require-user.ts';

/**
 * Checks the password of the calling user; wrong passwords are counted.
 * @returns the hash of the password, so that the caller can detect a change meanwhile
 * @throws DomainError `WRONG_PASSWORD`, `SESSION_REQUIRED`; MustWait `USER_LOCKED`
 */
export async function requirePresentPassword(call: Call, currentPassword: string): Promise<string> {
  const user = requireUser(call.principal);
  const { passwordHash } = await call.db.unitOfWork(user.clientId, (uow) => requireConsoleUser(uow, user.id));
  const isRight = await attempt(call, presentPasswordCounter(user), () => isPassword(currentPassword, passwordHash));
  if (!isRight) throw wrongPassword();
  return passwordHash;
}

/** The error for a wrong password. */
export function wrongPassword(): DomainError {
  return new DomainError('WRONG_PASSWORD', 'currentPassword is wrong. Send the one you signed in with.');
}
