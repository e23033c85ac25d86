import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Credential_Kind, type CredentialSchema } from '../../../gen/laurel/admin/v1/credential_pb.ts';
import { Role } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { type PartOf, propertiesOf } from '../../persistence/columns-of.ts';
import { type CredentialEntity, credentialTable } from './credential.entity.ts';

/** The API message of a credential. */
export const CREDENTIAL = propertiesOf(credentialTable, [
  'id',
  'kind',
  'role',
  'name',
  'lastFour',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
]);

/** The API message of a credential, without its secret, which is not stored. */
export function toCredentialMessage(
  credential: PartOf<CredentialEntity, typeof CREDENTIAL>,
): MessageInitShape<typeof CredentialSchema> {
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
