import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SessionSchema, SessionUserSchema } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { Role } from '../../../gen/laurel/auth/v1/options_pb.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { clientNotFound } from '../catalog-version.ts';
import { toClientMessage } from '../client-message.ts';
import { clientTable } from '../client.entity.ts';
import { splitHashes } from '../second-factor/recovery-codes.ts';
import { lacksSecondFactor } from '../second-factor/required-factor.ts';
import { permissionsOf } from '../permissions.ts';
import type { ConsoleUserEntity } from '../users/console-user.entity.ts';
import { previousSignInsOf } from './sessions.queries.ts';

/** The session of a user in the unit of work of the user's own client. */
export async function userSession(
  uow: UnitOfWork,
  user: ConsoleUserEntity,
  sessionId: string,
): Promise<MessageInitShape<typeof SessionSchema>> {
  const client = await clientOf(uow);
  return {
    user: await sessionUser(uow, user, sessionId),
    role: Role[user.role],
    permissions: permissionsOf(user),
    client,
    ownClientId: user.clientId,
    secondFactorSetupRequired: client.requireSecondFactor === true && (await lacksSecondFactor(uow, sessionId)),
  };
}

/** The person of a session, in a unit of work of the person's own client. */
export async function sessionUser(
  uow: UnitOfWork,
  { id, email, name, passwordTemporary, secondFactorAt, recoveryCodeHashes }: ConsoleUserEntity,
  sessionId: string,
): Promise<MessageInitShape<typeof SessionUserSchema>> {
  const past = await previousSignInsOf(uow, sessionId);
  return {
    id,
    email,
    name,
    passwordChangeRequired: passwordTemporary,
    failedSignIns: past?.failed ?? 0,
    secondFactorEnabled: Boolean(secondFactorAt),
    recoveryCodesLeft: splitHashes(recoveryCodeHashes).length,
    ...(past?.signedInAt && { lastSignedInAt: timestampFromDate(past.signedInAt) }),
  };
}

/** The API message of the unit of work's client. */
export async function clientOf(uow: UnitOfWork): Promise<ReturnType<typeof toClientMessage>> {
  const client = await uow.em.findOne(clientTable, { id: uow.clientId });
  if (!client) throw clientNotFound(uow.clientId);
  return toClientMessage(client);
}
