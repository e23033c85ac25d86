import {
  AccountAdminService,
  type RemoveAccountRequest,
  type RemoveAccountResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { deleteLockedAccount } from '../accounts/delete-account.ts';
import { eraseLockedAccount, type EraseOptions, sweepErased } from '../accounts/erasure/erase-account.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { byId, runSupportAction } from './support-action.ts';

/** Deletes or erases an account: proto AccountAdminService.RemoveAccount. */
export async function removeAccount(
  call: Call,
  request: RemoveAccountRequest,
  options: EraseOptions,
): Promise<RemoveAccountResponse> {
  const { accountId, idType, erase } = request;
  const { db, principal, clock } = call;
  let erased: string | undefined;
  const answer = await runSupportAction(call, {
    method: AccountAdminService.method.removeAccount,
    request,
    content: [...namedAccount(idType, accountId), erase ? 'erase' : 'delete'],
    async work(uow) {
      const ref = { accountId, idType };
      const id = erase
        ? await eraseLockedAccount(uow, ref, options, clock)
        : await deleteLockedAccount(uow, ref, options.releasers, clock);
      if (erase) erased = id;
      return { answer: {}, change: { ...byId(id), after: undefined, note: erase ? 'Erased' : 'Deleted' } };
    },
  });
  if (erased !== undefined) await sweepErased(db, principal.clientId, erased, options, clock);
  return answer;
}
