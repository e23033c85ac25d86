import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListCredentialsRequest,
  ListCredentialsResponseSchema,
} from '../../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import type { RowOf } from '../../persistence/columns-of.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { CREDENTIAL, toCredentialMessage } from './credential-message.ts';
import type { Call } from '../call.ts';

/** Lists credentials by page, latest first, revoked ones too: proto CredentialAdminService.ListCredentials. */
export function listCredentials(
  { db, principal }: Call,
  request: ListCredentialsRequest,
): Promise<MessageInitShape<typeof ListCredentialsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await credentialPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toCredentialMessage(row)) };
  });
}

const credentialPage = pagedList<RowOf<typeof CREDENTIAL>>({
  from: 'credential',
  // The cursor of the list needs the raw column.
  columns: `${CREDENTIAL}, created_at`,
  orderBy: ['created_at', 'id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    kind: { kind: 'enum', column: 'kind', values: ['API_KEY', 'ACCESS_TOKEN'] },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: {
    createdAt: { column: 'created_at' },
    name: { column: 'name' },
    kind: { column: 'kind' },
    expiresAt: { column: 'expires_at', nullable: true },
    lastUsedAt: { column: 'last_used_at', nullable: true },
  },
  searched: { ids: ['id'], parts: ['name'] },
});
