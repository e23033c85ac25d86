import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import {
  type ChangePasswordRequest,
  type ChangePasswordResponseSchema,
  SessionService,
} from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import type { Call } from '../call.ts';
import { toConsoleUserMessage } from '../users/console-user-message.ts';
import { isCommonPassword, isMadeOfKnownWords } from '../users/common-passwords.ts';
import { hashPassword } from '../users/password.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import { attempt, clearAttempts } from '../sign-in/attempts.ts';
import { chosenPasswordCounter, presentPasswordCounter } from '../sign-in/counters.ts';
import { getSession } from './get-session.ts';
import { requirePresentPassword, wrongPassword } from './require-present-password.ts';
import { requireUser } from './require-user.ts';
import { endSessions } from './sessions.queries.ts';

/** Replaces the caller's own password: proto SessionService.ChangePassword. */
export async function changePassword(
  call: Call,
  { currentPassword, newPassword }: ChangePasswordRequest,
): Promise<MessageInitShape<typeof ChangePasswordResponseSchema>> {
  const { db, clock, principal } = call;
  const { clientId, id } = requireUser(principal);
  if (currentPassword === newPassword) throw badRequest('newPassword is the current one. Send another.');
  const email = principal.actor?.name ?? '';
  if (isMadeOfKnownWords(newPassword, email) || (await isCommonPassword(newPassword))) {
    throw badRequest(
      'newPassword is among the passwords that are tried first. Send four or more words that do not belong together, or one that a password manager made.',
    );
  }
  const old = await requirePresentPassword(call, currentPassword);
  const passwordHash = await attempt(call, chosenPasswordCounter({ clientId, id }), () => hashPassword(newPassword));
  await db.unitOfWork(clientId, async (uow) => {
    const user = await requireConsoleUser(uow, id);
    // The password was replaced after it was checked.
    if (user.passwordHash !== old) throw wrongPassword();
    const before = toConsoleUserMessage(user);
    uow.em.assign(user, { passwordHash, passwordTemporary: false, lockedUntil: null });
    await uow.em.flush();
    await clearAttempts(uow, presentPasswordCounter({ clientId, id }));
    await endSessions(uow, id, clock(), principal.credentialId);
    await recordChange(uow, principal, {
      operation: SessionService.method.changePassword,
      schema: ConsoleUserSchema,
      id,
      before,
      after: toConsoleUserMessage(user),
    });
  });
  return getSession(call);
}
