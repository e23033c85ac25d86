import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CredentialAdminService,
  type RevokeCredentialRequest,
  type RevokeCredentialResponseSchema,
} from '../../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { CredentialSchema } from '../../../gen/laurel/admin/v1/credential_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { toCredentialMessage } from './credential-message.ts';
import { credentialTable } from './credential.entity.ts';
import { requireMayActOn } from '../permissions.ts';
import type { Call } from '../call.ts';

/** Revokes a credential; processes notice within a second: proto CredentialAdminService.RevokeCredential. */
export function revokeCredential(
  { db, principal, clock }: Call,
  { id }: RevokeCredentialRequest,
): Promise<MessageInitShape<typeof RevokeCredentialResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const credential = await uow.em.findOne(credentialTable, { clientId: uow.clientId, id: id.toLowerCase() });
    if (!credential) throw new DomainError('CREDENTIAL_NOT_FOUND', sentence`There is no credential with the id ${id}.`);
    requireMayActOn(principal, credential.role, sentence`This credential`);
    const before = toCredentialMessage(credential);
    if (credential.revokedAt) return { credential: before };
    credential.revokedAt = clock();
    await uow.em.flush();
    const after = toCredentialMessage(credential);
    const operation = CredentialAdminService.method.revokeCredential;
    await recordChange(uow, principal, { operation, schema: CredentialSchema, id: credential.id, before, after });
    return { credential: after };
  });
}
