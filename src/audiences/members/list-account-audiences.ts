import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAccountAudiencesRequest,
  ListAccountAudiencesResponseSchema,
} from '../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import type { AudienceSchema } from '../../../gen/laurel/v1/audience_pb.ts';
import { requireAccount } from '../../accounts/resolve-accounts.ts';
import type { Call } from '../../clients/call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { toAudienceMessage } from '../audience-message.ts';
import { audienceTable } from '../audience.entity.ts';
import { audiencesOfAccounts } from '../audiences.queries.ts';

/** Returns the audiences of an account: proto AudienceAdminService.ListAccountAudiences. */
export function listAccountAudiences(
  { db, principal }: Call,
  { accountId, idType }: ListAccountAudiencesRequest,
): Promise<MessageInitShape<typeof ListAccountAudiencesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await requireAccount(uow, { accountId, idType });
    return { audiences: await audiencesOfAccount(uow, account.id) };
  });
}

/** The MANUAL audiences of an account, and the EVERYONE audiences, by name. */
export async function audiencesOfAccount(
  uow: UnitOfWork,
  accountId: string,
): Promise<Array<MessageInitShape<typeof AudienceSchema> & { readonly name: string }>> {
  const assigned = (await audiencesOfAccounts(uow, [accountId])).get(accountId) ?? new Map<string, number>();
  const audiences = await uow.em.find(
    audienceTable,
    { clientId: uow.clientId, deletedAt: null, $or: [{ id: { $in: [...assigned.keys()] } }, { kind: 'EVERYONE' }] },
    { orderBy: { name: 'asc', id: 'asc' }, disableIdentityMap: true },
  );
  return audiences.map((audience) => ({ ...toAudienceMessage(audience), name: audience.name }));
}
