import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ConsoleUserAdminService,
  type ResetConsoleUserPasswordRequest,
  type ResetConsoleUserPasswordResponseSchema,
} from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { requireMayActOn } from '../permissions.ts';
import type { Call } from '../call.ts';
import { clearAttemptsOf } from '../sign-in/clear-attempts-of.ts';
import { endSessions } from '../sessions/sessions.queries.ts';
import { toConsoleUserMessage } from './console-user-message.ts';
import { hashPassword, newPassword } from './password.ts';
import { requireConsoleUser } from './require-console-user.ts';
import { sentence } from '../../kernel/sentence.ts';

/** Creates a new password and shows it only once: proto ConsoleUserAdminService.ResetConsoleUserPassword. */
export async function resetConsoleUserPassword(
  { db, principal, now }: Call,
  { id }: ResetConsoleUserPasswordRequest,
): Promise<MessageInitShape<typeof ResetConsoleUserPasswordResponseSchema>> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  const answer = await db.unitOfWork(principal.clientId, async (uow) => {
    const user = await requireConsoleUser(uow, id);
    requireMayActOn(principal, user.role, sentence`This user`);
    const before = toConsoleUserMessage(user);
    uow.em.assign(user, {
      passwordHash,
      passwordTemporary: true,
      failedSignIns: 0,
      lockedUntil: null,
      updatedAt: now,
      version: user.version + 1,
    });
    await uow.em.flush();
    await endSessions(uow, user.id, now);
    const after = toConsoleUserMessage(user);
    await recordChange(uow, principal, {
      operation: ConsoleUserAdminService.method.resetConsoleUserPassword,
      schema: ConsoleUserSchema,
      id: user.id,
      before,
      after,
    });
    return { user: after, password };
  });
  await clearAttemptsOf(db, { clientId: principal.clientId, id: answer.user.id!, email: answer.user.email! });
  return answer;
}
