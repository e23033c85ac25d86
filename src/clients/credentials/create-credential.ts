import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Credential_Kind, CredentialSchema } from '../../../gen/laurel/admin/v1/credential_pb.ts';
import {
  CredentialAdminService,
  type CreateCredentialRequest,
  type CreateCredentialResponseSchema,
} from '../../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { Role as RoleNumber } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';
import { toCredentialMessage } from './credential-message.ts';
import { type CredentialEntity, credentialTable } from './credential.entity.ts';
import { requireMayActOn } from '../permissions.ts';
import type { Call } from '../call.ts';
import { hashToken, newToken, tokenHint } from './token.ts';

/** Creates a credential and shows its secret only once: proto CredentialAdminService.CreateCredential. */
export function createCredential(
  { db, principal, clock }: Call,
  request: CreateCredentialRequest,
): Promise<MessageInitShape<typeof CreateCredentialResponseSchema>> {
  const role = roleOf(request);
  requireMayActOn(principal, role, sentence`The new credential`);
  const expiresAt = request.expiresAt ? timestampDate(request.expiresAt) : null;
  if (expiresAt && expiresAt <= clock()) throw badRequest('expiresAt must lie in the future.');
  const kind = request.kind === Credential_Kind.API_KEY ? 'API_KEY' : 'ACCESS_TOKEN';
  const secret = newToken(kind, principal.clientId);
  return db.unitOfWork(principal.clientId, async (uow) => {
    const credential = uow.em.create(credentialTable, {
      clientId: uow.clientId,
      id: newId(),
      kind,
      role,
      name: request.name,
      hash: hashToken(secret),
      lastFour: tokenHint(secret),
      expiresAt,
    }) as CredentialEntity;
    await uow.em.flush();
    const after = toCredentialMessage(credential);
    const operation = CredentialAdminService.method.createCredential;
    await recordChange(uow, principal, { operation, schema: CredentialSchema, id: credential.id, after });
    return { credential: after, secret };
  });
}

/** API keys are for backends and access tokens for administrators, so that a leaked key cannot read the settings of webhooks. */
function roleOf({ kind, role }: CreateCredentialRequest): CredentialEntity['role'] {
  if (kind === Credential_Kind.API_KEY) {
    if (role === RoleNumber.ROLE_UNSPECIFIED || role === RoleNumber.INTEGRATOR) return 'INTEGRATOR';
    throw badRequest('An API_KEY always has the role INTEGRATOR: leave role out, or create an ACCESS_TOKEN.');
  }
  if (role === RoleNumber.INTEGRATOR) throw badRequest('An ACCESS_TOKEN has the role CLIENT_ADMIN or SERVICE_ADMIN.');
  return role === RoleNumber.SERVICE_ADMIN ? 'SERVICE_ADMIN' : 'CLIENT_ADMIN';
}
