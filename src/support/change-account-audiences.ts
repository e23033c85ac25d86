import {
  AccountAdminService,
  type ChangeAccountAudiencesRequest,
  type ChangeAccountAudiencesResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import { changeAudiencesOf } from '../audiences/members/change-account-audiences.ts';
import { audiencesOfAccount } from '../audiences/members/list-account-audiences.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { byId, runSupportAction } from './support-action.ts';

/** Puts an account into audiences and takes it out of others: proto AccountAdminService.ChangeAccountAudiences. */
export function changeAccountAudiences(
  call: Call,
  request: ChangeAccountAudiencesRequest,
): Promise<ChangeAccountAudiencesResponse> {
  const { accountId, idType, joinAudienceIds: join, leaveAudienceIds: leave } = request;
  if (join.length + leave.length === 0)
    throw badRequest('Nothing is to change. Send audiences in `joinAudienceIds` or `leaveAudienceIds`.');
  return runSupportAction(call, {
    method: AccountAdminService.method.changeAccountAudiences,
    request,
    content: [...namedAccount(idType, accountId), listed(join), listed(leave)],
    async work(uow) {
      const account = await requireAccount(uow, { accountId, idType }, 'presence');
      const { id } = account;
      const { joined, left } = await changeAudiencesOf(uow, id, { join, leave }, call.now);
      const changes = [...joined.map((name) => `+${name}`), ...left.map((name) => `-${name}`)];
      const change = { ...byId(id), note: changes.join(', ') };
      // The list is read from the database, so pending changes must be flushed first.
      await uow.em.flush();
      return {
        answer: { audiences: await audiencesOfAccount(uow, account, call.now) },
        change: changes.length === 0 ? undefined : change,
      };
    },
  });
}

/** Ids in one spelling and order. */
function listed(ids: readonly string[]): string {
  return [...new Set(ids.map((id) => id.toLowerCase()))].toSorted().join();
}
