import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import {
  type BeginSecondFactorRequest,
  type BeginSecondFactorResponseSchema,
  SessionService,
} from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import type { Call } from '../call.ts';
import { requirePresentPassword, wrongPassword } from '../sessions/require-present-password.ts';
import { requireUser } from '../sessions/require-user.ts';
import { toConsoleUserMessage } from '../users/console-user-message.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import { newTotpSecret, totpUri } from './totp.ts';
import { factorEnabled, NO_SECOND_FACTOR, secretOwner } from './take-code.ts';

/** Creates a secret that the user must confirm: proto SessionService.BeginSecondFactor. */
export async function beginSecondFactor(
  call: Call,
  { currentPassword }: BeginSecondFactorRequest,
  secrets: SecretBox,
): Promise<MessageInitShape<typeof BeginSecondFactorResponseSchema>> {
  const { clientId, id } = requireUser(call.principal);
  const passwordHash = await requirePresentPassword(call, currentPassword);
  return call.db.unitOfWork(clientId, async (uow) => {
    const user = await requireConsoleUser(uow, id);
    if (user.passwordHash !== passwordHash) throw wrongPassword();
    if (user.secondFactorAt) throw factorEnabled();
    const secret = newTotpSecret();
    uow.em.assign(user, { ...NO_SECOND_FACTOR, secondFactorSealed: secrets.seal(secret, secretOwner(user)) });
    await uow.em.flush();
    const shown = toConsoleUserMessage(user);
    await recordChange(uow, call.principal, {
      operation: SessionService.method.beginSecondFactor,
      schema: ConsoleUserSchema,
      id,
      before: shown,
      after: shown,
    });
    return { secret, uri: totpUri(secret, user.email) };
  });
}
