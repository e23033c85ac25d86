import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  ListAudienceMembershipsRequest,
  ListAudienceMembershipsResponseSchema,
} from '../../../gen/laurel/v1/audience_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { audiencesByRule } from '../audiences-by-rule.ts';
import { membershipPage, toAudienceSummaryMessage } from '../audience-summaries.queries.ts';

/** The id of no account. An unknown account has no audiences, but its filters are still checked. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/** Lists the audiences of an account, by page and name: proto AudienceService.ListAudienceMemberships. */
export function listAudienceMemberships(
  { db, principal, clock }: Call,
  request: ListAudienceMembershipsRequest,
): Promise<MessageInitShape<typeof ListAudienceMembershipsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, request);
    const held = account === undefined ? [] : await audiencesByRule(uow, account, clock());
    const page = await membershipPage(uow, account?.id ?? NO_ACCOUNT, held, request);
    const rows = page.rows.map(({ joined_at: joinedAt, ...audience }) => ({
      audience: toAudienceSummaryMessage(audience),
      joinedAt: joinedAt === null ? undefined : timestampFromDate(joinedAt),
    }));
    return { ...page, rows };
  });
}
