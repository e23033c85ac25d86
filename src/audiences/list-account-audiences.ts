import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAccountAudiencesRequest,
  ListAccountAudiencesResponseSchema,
} from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { requireAccount } from '../accounts/resolve-accounts.ts';
import type { Call } from '../clients/call.ts';
import { toAudienceMessage } from './audience-message.ts';
import { audienceTable } from './audience.entity.ts';
import { audiencesOfAccounts } from './audiences.queries.ts';

/** Gives the audiences that an account is in: proto AudienceAdminService.ListAccountAudiences. */
export function listAccountAudiences(
  { db, principal }: Call,
  { accountId, idType }: ListAccountAudiencesRequest,
): Promise<MessageInitShape<typeof ListAccountAudiencesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await requireAccount(uow, { accountId, idType });
    const assigned = (await audiencesOfAccounts(uow, [account.id])).get(account.id) ?? new Map<string, number>();
    const audiences = await uow.em.find(
      audienceTable,
      { clientId: uow.clientId, deletedAt: null, $or: [{ id: { $in: [...assigned.keys()] } }, { kind: 'EVERYONE' }] },
      { orderBy: { name: 'asc', id: 'asc' }, disableIdentityMap: true },
    );
    return { audiences: audiences.map(toAudienceMessage) };
  });
}
