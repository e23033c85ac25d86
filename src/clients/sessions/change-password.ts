import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import {
  type ChangePasswordRequest,
  type ChangePasswordResponseSchema,
  SessionService,
} from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Clock } from '../../kernel/clock.ts';
import { badRequest, DomainError } from '../../kernel/domain-error.ts';
import type { Database } from '../../persistence/database.ts';
import type { Principal } from '../principal.ts';
import { consoleUserMessage } from '../users/console-user-message.ts';
import { takeAttempt } from '../users/failed-attempts.ts';
import { hashPassword, isPassword } from '../users/password.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import { getSession } from './get-session.ts';
import { endSessions } from './sessions.queries.ts';

/** Replaces the caller's own password: proto SessionService.ChangePassword. */
export async function changePassword(
  { db, clock }: { db: Database; clock: Clock },
  principal: Principal,
  { currentPassword, newPassword }: ChangePasswordRequest,
): Promise<MessageInitShape<typeof ChangePasswordResponseSchema>> {
  const { clientId, id } = userOf(principal);
  if (currentPassword === newPassword) throw badRequest('newPassword is the current one. Send another.');
  await takeAttempt(db, { clientId, id }, clock());
  const { passwordHash: old } = await db.unitOfWork(clientId, (uow) => requireConsoleUser(uow, id));
  if (!(await isPassword(currentPassword, old))) throw wrongPassword();
  const passwordHash = await hashPassword(newPassword);
  await db.unitOfWork(clientId, async (uow) => {
    const user = await requireConsoleUser(uow, id);
    // Somebody has replaced the password since it was looked at.
    if (user.passwordHash !== old) throw wrongPassword();
    const before = consoleUserMessage(user);
    uow.em.assign(user, { passwordHash, passwordTemporary: false, failedSignIns: 0, lockedUntil: null });
    await uow.em.flush();
    await endSessions(uow, id, clock(), principal.credentialId);
    await recordChange(uow, principal, {
      operation: SessionService.method.changePassword,
      ...{ schema: ConsoleUserSchema, id, before, after: consoleUserMessage(user) },
    });
  });
  return getSession(db, principal);
}

function userOf({ actor, ownClientId, clientId }: Principal): { clientId: string; id: string } {
  if (actor?.type === 'USER') return { clientId: ownClientId ?? clientId, id: actor.id };
  throw new DomainError(
    'forbidden',
    'SESSION_REQUIRED',
    'An access token has no password. Sign in, and send the token of the session.',
  );
}

function wrongPassword(): DomainError {
  return new DomainError('forbidden', 'WRONG_PASSWORD', 'currentPassword is wrong. Send the one you signed in with.');
}
