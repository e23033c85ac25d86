import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import {
  type DisableSecondFactorRequest,
  type DisableSecondFactorResponseSchema,
  SessionService,
} from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import type { Call } from '../call.ts';
import { getSession } from '../sessions/get-session.ts';
import { requirePresentPassword, wrongPassword } from '../sessions/require-present-password.ts';
import { requireUser } from '../sessions/require-user.ts';
import { attempt, clearAttempts } from '../sign-in/attempts.ts';
import { ownSecondFactorCounter, presentPasswordCounter } from '../sign-in/counters.ts';
import { toConsoleUserMessage } from '../users/console-user-message.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import { codeRefused, factorMissing, NO_SECOND_FACTOR, takeCode } from './take-code.ts';

/** Switches off the caller's second factor: proto SessionService.DisableSecondFactor. */
export async function disableSecondFactor(
  call: Call,
  { currentPassword, code }: DisableSecondFactorRequest,
  secrets: SecretBox,
): Promise<MessageInitShape<typeof DisableSecondFactorResponseSchema>> {
  const { db, clock, principal } = call;
  const { clientId, id } = requireUser(principal);
  const passwordHash = await requirePresentPassword(call, currentPassword);
  const counter = ownSecondFactorCounter({ clientId, id });
  const disabled = await attempt(call, counter, () =>
    db.unitOfWork(clientId, async (uow) => {
      const user = await requireConsoleUser(uow, id);
      if (user.passwordHash !== passwordHash) throw wrongPassword();
      if (!user.secondFactorAt) throw factorMissing();
      const before = toConsoleUserMessage(user);
      if (takeCode(user, code, secrets, clock()) === undefined) return false;
      uow.em.assign(user, NO_SECOND_FACTOR);
      await uow.em.flush();
      await clearAttempts(uow, counter);
      await clearAttempts(uow, presentPasswordCounter({ clientId, id }));
      await recordChange(uow, principal, {
        operation: SessionService.method.disableSecondFactor,
        schema: ConsoleUserSchema,
        id,
        before,
        after: toConsoleUserMessage(user),
      });
      return true;
    }),
  );
  if (!disabled) throw codeRefused();
  return getSession(call);
}
