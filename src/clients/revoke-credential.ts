import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  RevokeCredentialRequest,
  RevokeCredentialResponseSchema,
} from '../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import type { Clock } from '../kernel/clock.ts';
import { notFound } from '../kernel/domain-error.ts';
import type { Database } from '../persistence/database.ts';
import { credentialMessage } from './credential-message.ts';
import { credentialTable } from './credential.entity.ts';
import type { Principal } from './principal.ts';

/** Revokes a credential; processes notice within a second: proto CredentialAdminService.RevokeCredential. */
export function revokeCredential(
  db: Database,
  principal: Principal,
  { id }: RevokeCredentialRequest,
  clock: Clock,
): Promise<MessageInitShape<typeof RevokeCredentialResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const credential = await uow.em.findOne(credentialTable, { clientId: uow.clientId, id: id.toLowerCase() });
    if (!credential) throw notFound('CREDENTIAL', `There is no credential with the id ${id}.`);
    credential.revokedAt ??= clock();
    await uow.em.flush();
    return { credential: credentialMessage(credential) };
  });
}
