import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  RemoveAccountsRequest,
  RemoveAccountsResponseSchema,
} from '../../../gen/laurel/v1/audience_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { deleteMembers } from '../audiences.queries.ts';
import { changeMembers } from './change-members.ts';

/** Removes accounts from an audience: proto AudienceService.RemoveAccounts. */
export function removeAccounts(
  { db, principal, clock }: Call,
  request: RemoveAccountsRequest,
): Promise<MessageInitShape<typeof RemoveAccountsResponseSchema>> {
  const now = clock();
  return changeMembers(db, principal, request, now, (uow, audienceId, accountIds) =>
    deleteMembers(uow, audienceId, accountIds, now),
  );
}
