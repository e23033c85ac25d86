import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RemoveAccountsRequest, RemoveAccountsResponseSchema } from '../../gen/laurel/v1/audience_service_pb.ts';
import type { Principal } from '../clients/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { deleteMembers } from './audiences.queries.ts';
import { changeMembers } from './change-members.ts';

/** Takes accounts out of an audience: proto AudienceService.RemoveAccounts. */
export function removeAccounts(
  db: Database,
  principal: Principal,
  request: RemoveAccountsRequest,
  clock: Clock,
): Promise<MessageInitShape<typeof RemoveAccountsResponseSchema>> {
  const now = clock();
  return changeMembers(db, principal, request, now, deleteMembers);
}
