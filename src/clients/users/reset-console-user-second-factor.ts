import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ConsoleUserAdminService,
  type ResetConsoleUserSecondFactorRequest,
  type ResetConsoleUserSecondFactorResponseSchema,
} from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Call } from '../call.ts';
import { requireMayActOn } from '../permissions.ts';
import { factorMissing, NO_SECOND_FACTOR } from '../second-factor/take-code.ts';
import { endSessions } from '../sessions/sessions.queries.ts';
import { clearAttemptsOf } from '../sign-in/clear-attempts-of.ts';
import { toConsoleUserMessage } from './console-user-message.ts';
import { requireConsoleUser } from './require-console-user.ts';

/** Switches off the second factor of a locked-out user: proto ConsoleUserAdminService.ResetConsoleUserSecondFactor. */
export async function resetConsoleUserSecondFactor(
  { db, principal, now }: Call,
  { id }: ResetConsoleUserSecondFactorRequest,
): Promise<MessageInitShape<typeof ResetConsoleUserSecondFactorResponseSchema>> {
  const after = await db.unitOfWork(principal.clientId, async (uow) => {
    const user = await requireConsoleUser(uow, id);
    requireMayActOn(principal, user.role, sentence`This user`);
    if (principal.actor?.id === user.id) throw ownFactor();
    if (!user.secondFactorAt) throw factorMissing();
    const before = toConsoleUserMessage(user);
    uow.em.assign(user, { ...NO_SECOND_FACTOR, updatedAt: now, version: user.version + 1 });
    await uow.em.flush();
    const ended = await endSessions(uow, user.id, now);
    const shown = toConsoleUserMessage(user);
    await recordChange(uow, principal, {
      operation: ConsoleUserAdminService.method.resetConsoleUserSecondFactor,
      schema: ConsoleUserSchema,
      id: user.id,
      before,
      after: shown,
      note: `${ended} sessions were open.`,
    });
    return shown;
  });
  await clearAttemptsOf(db, { clientId: principal.clientId, id: after.id!, email: after.email! });
  return { user: after };
}

/** The error for a reset of one's own second factor: otherwise an open session of another person would be enough to switch it off. */
function ownFactor(): DomainError {
  return new DomainError(
    'OWN_USER',
    'Nobody resets the own second factor. Switch it off in the settings, with password and code.',
  );
}
