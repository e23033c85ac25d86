import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListChestsRequest, ListChestsResponseSchema } from '../../../gen/laurel/v1/chest_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { toChestMessage } from './chest-message.ts';
import { chestsOfAccount } from './chests.queries.ts';

/** Lists an account's chests, latest first: proto ChestService.ListChests. */
export function listChests(
  { db, principal }: Call,
  { accountId, idType }: ListChestsRequest,
): Promise<MessageInitShape<typeof ListChestsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, { accountId, idType });
    if (account === undefined) return { chests: [] };
    return { chests: (await chestsOfAccount(uow, account.id)).map(toChestMessage) };
  });
}
