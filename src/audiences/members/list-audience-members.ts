import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  AudienceMemberSchema,
  ListAudienceMembersRequest,
  ListAudienceMembersResponseSchema,
} from '../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { toAccountMessage } from '../../accounts/account.ts';
import type { Call } from '../../clients/call.ts';
import { everyonePage, type Member, memberOf, memberPage } from './members.queries.ts';
import { requireAudience } from '../require-audience.ts';

/** Lists the members of one audience by page: proto AudienceAdminService.ListAudienceMembers. */
export function listAudienceMembers(
  { db, principal }: Call,
  request: ListAudienceMembersRequest,
): Promise<MessageInitShape<typeof ListAudienceMembersResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const audience = await requireAudience(uow, request.audienceId);
    const page =
      audience.kind === 'EVERYONE' ? await everyonePage(uow, request) : await memberPage(uow, audience.id, request);
    return { ...page, rows: page.rows.map((row) => toMemberMessage(memberOf(row))) };
  });
}

function toMemberMessage({ account, joinedAt }: Member): MessageInitShape<typeof AudienceMemberSchema> {
  return { account: toAccountMessage(account), joinedAt: joinedAt && timestampFromDate(joinedAt) };
}
