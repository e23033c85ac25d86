import { toJson } from '@bufbuild/protobuf';
import {
  AccountAdminService,
  type EditAccountRequest,
  type EditAccountResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { AccountChangesSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import { type AccountMover, changeAccount } from '../accounts/update-account.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { byId, runSupportAction } from './support-action.ts';

/** Changes attributes of an account: proto AccountAdminService.EditAccount. */
export function editAccount(
  call: Call,
  request: EditAccountRequest,
  movers: readonly AccountMover[],
): Promise<EditAccountResponse> {
  const { accountId, idType, account: sent, updateMask } = request;
  const values = sent ? JSON.stringify(toJson(AccountChangesSchema, sent)) : '';
  return runSupportAction(call, {
    method: AccountAdminService.method.editAccount,
    request,
    content: [...namedAccount(idType, accountId), values, updateMask?.paths.join() ?? ''],
    async work(uow) {
      const ref = { accountId, idType };
      const { account, changed } = await changeAccount(
        uow,
        ref,
        { account: sent, updateMask },
        { clock: call.clock, movers },
      );
      // The log outlives the account, so it keeps the names of the changed attributes and no personal data.
      const change = { ...byId(account.id), note: changed.join(', ') };
      return { answer: { account }, change: changed.length === 0 ? undefined : change };
    },
  });
}
