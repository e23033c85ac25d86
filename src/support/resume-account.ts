import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AccountAdminService,
  type ResumeAccountRequest,
  ResumeAccountRequest_Events as Events,
  type ResumeAccountResponseSchema,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { toAccountMessage } from '../accounts/account.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import type { Inbox } from '../triggers/inbox/inbox.ts';
import { dropSuspended, releaseSuspended } from '../triggers/suspended/release-suspended.ts';
import { countSuspended } from '../triggers/suspended/suspended-triggers.queries.ts';
import { byId, runSupportAction } from './support-action.ts';

/** Ends the suspension of an account, and applies or drops the events that waited: proto AccountAdminService.ResumeAccount. */
export async function resumeAccount(
  call: Call,
  request: ResumeAccountRequest,
  inbox: Pick<Inbox, 'wake'>,
): Promise<MessageInitShape<typeof ResumeAccountResponseSchema>> {
  const { accountId, idType, events } = request;
  const { clientId } = call.principal;
  if (request.dryRun) {
    return call.db.unitOfWork(clientId, async (uow) => {
      const account = await requireAccount(uow, { accountId, idType });
      return { account: toAccountMessage(account), eventCount: await countSuspended(uow, account.id) };
    });
  }
  const [fate, settle] =
    events === Events.DROP ? (['DROP', dropSuspended] as const) : (['APPLY', releaseSuspended] as const);
  const answer = await runSupportAction(call, {
    method: AccountAdminService.method.resumeAccount,
    request,
    content: [...namedAccount(idType, accountId), fate],
    async work(uow) {
      const account = await lockAccount(uow, { accountId, idType }, 'change');
      const wasSuspended = account.suspendedAt !== null;
      if (wasSuspended) uow.em.assign(account, { suspendedAt: null, updatedAt: call.now });
      const eventCount = await settle(uow, account.id);
      return {
        answer: { account: toAccountMessage(account), eventCount },
        change: wasSuspended ? { ...byId(account.id), note: `${fate} ${eventCount}` } : undefined,
      };
    },
  });
  if (events === Events.APPLY) call.afterResponse(() => inbox.wake(clientId));
  return answer;
}
