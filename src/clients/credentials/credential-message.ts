import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Credential_Kind, type CredentialSchema } from '../../../gen/laurel/admin/v1/credential_pb.ts';
import { Role } from '../../../gen/laurel/auth/v1/options_pb.ts';
import type { CredentialEntity } from './credential.entity.ts';

/** A credential as the API shows it: without its secret, which nobody has any more. */
export function toCredentialMessage(credential: CredentialEntity): MessageInitShape<typeof CredentialSchema> {
  const moment = (date: Date | null | undefined) => (date ? timestampFromDate(date) : undefined);
  return {
    id: credential.id,
    kind: Credential_Kind[credential.kind],
    role: Role[credential.role],
    name: credential.name,
    lastFour: credential.lastFour,
    createdAt: moment(credential.createdAt),
    expiresAt: moment(credential.expiresAt),
    revokedAt: moment(credential.revokedAt),
    lastUsedAt: moment(credential.lastUsedAt),
  };
}
