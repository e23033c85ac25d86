import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAccountMergesRequest,
  ListAccountMergesResponseSchema,
} from '../../gen/laurel/v1/account_merge_service_pb.ts';
import { idsWithAliases } from '../accounts/resolving/aliases.queries.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../clients/call.ts';
import { accountMergeTable } from './account-merge.entity.ts';
import { toAccountMergeMessage } from './merge-message.ts';

/** The most merges in the list. */
const MERGES_MAX = 1_000;

/** Lists the merges into an account, and into its aliases: proto AccountMergeService.ListAccountMerges. */
export function listAccountMerges(
  { db, principal: { clientId } }: Call,
  { accountId, idType }: ListAccountMergesRequest,
): Promise<MessageInitShape<typeof ListAccountMergesResponseSchema>> {
  return db.unitOfWork(clientId, async (uow) => {
    const { id } = await requireAccount(uow, { accountId, idType });
    const intoAccountId = { $in: await idsWithAliases(uow, id) };
    const order = { orderBy: { id: 'desc' as const }, limit: MERGES_MAX };
    const merges = await uow.em.find(accountMergeTable, { clientId, intoAccountId }, order);
    return { rows: merges.map(toAccountMergeMessage) };
  });
}
