import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListCredentialsRequest,
  ListCredentialsResponseSchema,
} from '../../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { toCredentialMessage } from './credential-message.ts';
import { credentialTable } from './credential.entity.ts';
import type { Call } from '../call.ts';

/** Lists credentials by page, latest first, revoked ones too: proto CredentialAdminService.ListCredentials. */
export function listCredentials(
  { db, principal }: Call,
  request: ListCredentialsRequest,
): Promise<MessageInitShape<typeof ListCredentialsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await credentialPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toCredentialMessage(uow.em.map(credentialTable, row))) };
  });
}

const credentialPage = pagedList({
  from: 'credential',
  columns: 'client_id, id, kind, role, name, last_four, created_at, expires_at, revoked_at, last_used_at',
  orderBy: ['created_at', 'id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    kind: { kind: 'enum', column: 'kind', values: ['API_KEY', 'ACCESS_TOKEN'] },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
});
