import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SessionSchema } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { Role } from '../../../gen/laurel/auth/v1/options_pb.ts';
import type { Database } from '../../persistence/database.ts';
import { permissionsOf } from '../permissions.ts';
import type { Principal, UserRole } from '../principal.ts';
import { callerLacksSecondFactor } from '../second-factor/required-factor.ts';
import { consoleUserTable } from '../users/console-user.entity.ts';
import { clientOf, sessionUser } from './session-message.ts';
import type { Call } from '../call.ts';

/** Returns the caller: proto SessionService.GetSession. */
export async function getSession({
  db,
  principal,
}: Call): Promise<{ session: MessageInitShape<typeof SessionSchema> }> {
  const ownClientId = principal.ownClientId ?? principal.clientId;
  const client = await db.unitOfWork(principal.clientId, clientOf);
  const own = ownClientId === principal.clientId ? client : await db.unitOfWork(ownClientId, clientOf);
  // The database is read, because this call may follow the set-up of the second factor.
  const isAsked = client.requireSecondFactor === true || own.requireSecondFactor === true;
  return {
    session: {
      user: await userOf(db, principal, ownClientId),
      role: Role[principal.role as UserRole],
      permissions: permissionsOf(principal),
      client,
      ownClientId,
      secondFactorSetupRequired: isAsked && (await callerLacksSecondFactor(db, principal)),
    },
  };
}

/** The user, from the caller's own client, also while the call acts for another. */
async function userOf(
  db: Database,
  { actor, credentialId }: Principal,
  ownClientId: string,
): Promise<MessageInitShape<typeof SessionSchema>['user']> {
  if (actor?.type !== 'USER') return undefined;
  return db.unitOfWork(ownClientId, async (uow) => {
    const user = await uow.em.findOneOrFail(consoleUserTable, { clientId: ownClientId, id: actor.id });
    return sessionUser(uow, user, credentialId);
  });
}
