import type { CredentialAdminService } from '../../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { createCredential } from './create-credential.ts';
import { listCredentials } from './list-credentials.ts';
import type { Handlers } from '../call.ts';
import { revokeCredential } from './revoke-credential.ts';

/** API keys and access tokens of one client. */
export const credentialAdminService = {
  createCredential,
  listCredentials,
  revokeCredential,
} satisfies Handlers<typeof CredentialAdminService>;
