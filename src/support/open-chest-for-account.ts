import {
  AccountAdminService,
  type OpenChestForAccountRequest,
  type OpenChestForAccountResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { ChestSchema } from '../../gen/laurel/v1/chest_pb.ts';
import type { OpenChestResponse } from '../../gen/laurel/v1/chest_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount, uuid } from '../idempotency/content.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { countEarnedRewards } from '../leaderboards/entries/count-earned-points.ts';
import { openChests } from '../rewards/chests/open-chests.ts';
import { runSupportAction, type Waker } from './support-action.ts';

/** Opens a chest of an account: proto AccountAdminService.OpenChestForAccount. */
export function openChestForAccount(
  call: Call,
  request: OpenChestForAccountRequest,
  dispatcher: Waker,
): Promise<OpenChestForAccountResponse> {
  const { accountId, idType, operationId } = request;
  const chestId = request.chestId.toLowerCase();
  return runSupportAction(call, {
    method: AccountAdminService.method.openChestForAccount,
    request,
    dispatcher,
    content: [...namedAccount(idType, accountId), uuid(chestId)],
    async work(uow) {
      const opening = { chestId, account: { accountId, idType }, operationId };
      const [answer] = await openChests(uow, [opening], { now: call.now }, countEarnedRewards);
      if (answer instanceof DomainError) throw answer;
      const { opened } = answer as OpenChestResponse;
      const after = opened!.chest!;
      return { answer: { opened }, change: { schema: ChestSchema, id: chestId, after } };
    },
  });
}
