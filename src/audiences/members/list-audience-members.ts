import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  AudienceMemberSchema,
  ListAudienceMembersRequest,
  ListAudienceMembersResponseSchema,
} from '../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { toAccountMessage } from '../../accounts/account.ts';
import type { Call } from '../../clients/call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { PageRequest } from '../../persistence/lists/list-page.ts';
import type { AudienceEntity } from '../audience.entity.ts';
import { ruleEnvironment, ruleOf } from '../audience-rule.ts';
import { everyonePage, type Member, memberOf, memberPage, rulePage } from './members.queries.ts';
import { requireAudience } from '../require-audience.ts';

/** Lists the members of one audience by page: proto AudienceAdminService.ListAudienceMembers. */
export function listAudienceMembers(
  { db, principal, clock }: Call,
  request: ListAudienceMembersRequest,
): Promise<MessageInitShape<typeof ListAudienceMembersResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const audience = await requireAudience(uow, request.audienceId);
    const page = await pageOf(uow, audience, request, clock());
    return { ...page, rows: page.rows.map((row) => toMemberMessage(memberOf(row))) };
  });
}

function pageOf(uow: UnitOfWork, { id, kind, expression }: AudienceEntity, request: PageRequest, now: Date) {
  switch (kind) {
    case 'MANUAL':
      return memberPage(uow, id, request);
    case 'EVERYONE':
      return everyonePage(uow, request);
    case 'RULE':
      return ruleEnvironment(uow, now).then((environment) => rulePage(uow, ruleOf(expression!, environment), request));
  }
}

function toMemberMessage({ account, joinedAt }: Member): MessageInitShape<typeof AudienceMemberSchema> {
  return { account: toAccountMessage(account), joinedAt: joinedAt && timestampFromDate(joinedAt) };
}
