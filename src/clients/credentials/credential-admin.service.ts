import type { ServiceImpl } from '@connectrpc/connect';
import type { CredentialAdminService } from '../../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { createCredential } from './create-credential.ts';
import { listCredentials } from './list-credentials.ts';
import { principalOf } from '../principal.ts';
import { revokeCredential } from './revoke-credential.ts';

/** API keys and access tokens of one client. */
export function credentialAdminService(db: Database, clock: Clock) {
  return {
    createCredential: (request, context) => createCredential(db, principalOf(context), request, clock),
    listCredentials: (request, context) => listCredentials(db, principalOf(context), request),
    revokeCredential: (request, context) => revokeCredential(db, principalOf(context), request, clock),
  } satisfies ServiceImpl<typeof CredentialAdminService>;
}
