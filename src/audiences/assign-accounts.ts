import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AssignAccountsRequest, AssignAccountsResponseSchema } from '../../gen/laurel/v1/audience_service_pb.ts';
import type { Principal } from '../clients/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { insertMembers } from './audiences.queries.ts';
import { changeMembers } from './change-members.ts';

/** Puts accounts into an audience: proto AudienceService.AssignAccounts. */
export function assignAccounts(
  db: Database,
  principal: Principal,
  request: AssignAccountsRequest,
  clock: Clock,
): Promise<MessageInitShape<typeof AssignAccountsResponseSchema>> {
  const now = clock();
  return changeMembers(db, principal, request, now, (uow, audienceId, accountIds) =>
    insertMembers(uow, audienceId, accountIds, now),
  );
}
