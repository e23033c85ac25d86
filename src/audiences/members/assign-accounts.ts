import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AssignAccountsRequest,
  AssignAccountsResponseSchema,
} from '../../../gen/laurel/v1/audience_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { insertMembers } from '../audiences.queries.ts';
import { changeMembers } from './change-members.ts';

/** Adds accounts to an audience: proto AudienceService.AssignAccounts. */
export function assignAccounts(
  { db, principal, clock }: Call,
  request: AssignAccountsRequest,
): Promise<MessageInitShape<typeof AssignAccountsResponseSchema>> {
  const now = clock();
  return changeMembers(db, principal, request, now, (uow, audienceId, accountIds) =>
    insertMembers(uow, audienceId, accountIds, now),
  );
}
