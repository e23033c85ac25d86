import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import {
  type ConfirmSecondFactorRequest,
  type ConfirmSecondFactorResponseSchema,
  SessionService,
} from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import type { Call } from '../call.ts';
import { getSession } from '../sessions/get-session.ts';
import { requireUser } from '../sessions/require-user.ts';
import { endSessions } from '../sessions/sessions.queries.ts';
import { attempt, clearAttempts } from '../sign-in/attempts.ts';
import { ownSecondFactorCounter } from '../sign-in/counters.ts';
import { toConsoleUserMessage } from '../users/console-user-message.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import { normalizedCode, newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { codeRefused, factorEnabled, factorMissing, takeCode } from './take-code.ts';

/** Switches the second factor on: proto SessionService.ConfirmSecondFactor. */
export async function confirmSecondFactor(
  call: Call,
  { code }: ConfirmSecondFactorRequest,
  secrets: SecretBox,
): Promise<MessageInitShape<typeof ConfirmSecondFactorResponseSchema>> {
  const { db, clock, principal } = call;
  const { clientId, id } = requireUser(principal);
  const counter = ownSecondFactorCounter({ clientId, id });
  const recoveryCodes = newRecoveryCodes();
  const confirmed = await attempt(call, counter, () =>
    db.unitOfWork(clientId, async (uow) => {
      const user = await requireConsoleUser(uow, id);
      if (user.secondFactorAt) throw factorEnabled();
      if (!user.secondFactorSealed) throw factorMissing();
      const before = toConsoleUserMessage(user);
      if (takeCode(user, code, secrets, clock()) === undefined) return false;
      const recoveryCodeHashes = recoveryCodes.map((each) => recoveryHash(id, normalizedCode(each))).join(',');
      uow.em.assign(user, { secondFactorAt: clock(), recoveryCodeHashes });
      await uow.em.flush();
      await clearAttempts(uow, counter);
      await endSessions(uow, id, clock(), principal.credentialId);
      await recordChange(uow, principal, {
        operation: SessionService.method.confirmSecondFactor,
        schema: ConsoleUserSchema,
        id,
        before,
        after: toConsoleUserMessage(user),
      });
      return true;
    }),
  );
  if (!confirmed) throw codeRefused();
  return { recoveryCodes, ...(await getSession(call)) };
}
