import {
  AccountAdminService,
  type SuspendAccountRequest,
  type SuspendAccountResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { toAccountMessage } from '../accounts/account.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { byId, runSupportAction } from './support-action.ts';

/** Stops an account until it is resumed: proto AccountAdminService.SuspendAccount. */
export function suspendAccount(call: Call, request: SuspendAccountRequest): Promise<SuspendAccountResponse> {
  const { accountId, idType } = request;
  return runSupportAction(call, {
    method: AccountAdminService.method.suspendAccount,
    request,
    content: namedAccount(idType, accountId),
    async work(uow) {
      const account = await lockAccount(uow, { accountId, idType }, 'change');
      const isNew = account.suspendedAt === null;
      if (isNew) uow.em.assign(account, { suspendedAt: call.now, updatedAt: call.now });
      return { answer: { account: toAccountMessage(account) }, change: isNew ? byId(account.id) : undefined };
    },
  });
}
