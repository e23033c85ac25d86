import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAccountAudiencesRequest,
  ListAccountAudiencesResponseSchema,
} from '../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import type { AudienceSchema } from '../../../gen/laurel/v1/audience_pb.ts';
import type { ListedAccount } from '../../accounts/account.ts';
import { requireAccount } from '../../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../../clients/call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { toAudienceMessage } from '../audience-message.ts';
import { audienceTable } from '../audience.entity.ts';
import { audiencesByRule } from '../audiences-by-rule.ts';
import { audiencesOfAccounts } from '../audiences.queries.ts';

/** Returns the audiences of an account: proto AudienceAdminService.ListAccountAudiences. */
export function listAccountAudiences(
  { db, principal, clock }: Call,
  { accountId, idType }: ListAccountAudiencesRequest,
): Promise<MessageInitShape<typeof ListAccountAudiencesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await requireAccount(uow, { accountId, idType });
    return { audiences: await audiencesOfAccount(uow, account, clock()) };
  });
}

/** The audiences of an account at an instant, of every kind, by name. */
export async function audiencesOfAccount(
  uow: UnitOfWork,
  account: ListedAccount,
  now: Date,
): Promise<Array<MessageInitShape<typeof AudienceSchema> & { readonly name: string }>> {
  const assigned = (await audiencesOfAccounts(uow, [account.id])).get(account.id) ?? new Map<string, number>();
  const held = await audiencesByRule(uow, account, now);
  const audiences = await uow.em.find(
    audienceTable,
    {
      clientId: uow.clientId,
      deletedAt: null,
      $or: [{ id: { $in: [...assigned.keys(), ...held] } }, { kind: 'EVERYONE' }],
    },
    { orderBy: { name: 'asc', id: 'asc' }, disableIdentityMap: true },
  );
  return audiences.map((audience) => ({ ...toAudienceMessage(audience), name: audience.name }));
}
