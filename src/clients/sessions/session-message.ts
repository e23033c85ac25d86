import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SessionSchema } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { Role } from '../../../gen/laurel/auth/v1/options_pb.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { clientNotFound } from '../catalog-version.ts';
import { clientMessage } from '../client-message.ts';
import { clientTable } from '../client.entity.ts';
import type { ConsoleUserEntity } from '../users/console-user.entity.ts';

/** The session of a user, acting for the unit of work's client. */
export async function userSession(
  uow: UnitOfWork,
  user: ConsoleUserEntity,
): Promise<MessageInitShape<typeof SessionSchema>> {
  const { id, email, name, role, passwordTemporary, clientId } = user;
  return {
    user: { id, email, name, passwordChangeRequired: passwordTemporary },
    role: Role[role],
    client: await clientOf(uow),
    ownClientId: clientId,
  };
}

/** The unit of work's client as the API shows it. */
export async function clientOf(uow: UnitOfWork): Promise<ReturnType<typeof clientMessage>> {
  const client = await uow.em.findOne(clientTable, { id: uow.clientId });
  if (!client) throw clientNotFound(uow.clientId);
  return clientMessage(client);
}
