import {
  AccountAdminService,
  type GrantStreakFreezesRequest,
  type GrantStreakFreezesResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { StreakFreezeEntrySchema } from '../../gen/laurel/v1/streak_freeze_pb.ts';
import { suspension } from '../accounts/accounts-of-batch.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { addFreezes } from '../campaigns/freezes/add-freezes.ts';
import { toFreezeEntryMessage } from '../campaigns/freezes/freeze-message.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { checkedText } from '../kernel/text.ts';
import { runSupportAction } from './support-action.ts';

/** Gives streak freezes to an account: proto AccountAdminService.GrantStreakFreezes. */
export function grantStreakFreezes(
  call: Call,
  request: GrantStreakFreezesRequest,
  catalogs: Catalogs,
): Promise<GrantStreakFreezesResponse> {
  const { accountId, idType, operationId, count = 1 } = request;
  const reason = checkedText(request.reason, '`reason`');
  return runSupportAction(call, {
    method: AccountAdminService.method.grantStreakFreezes,
    request,
    content: [...namedAccount(idType, accountId), `${count}`],
    async work(uow) {
      const catalog = await catalogs(uow);
      const account = await requireAccount(uow, { accountId, idType }, 'change');
      const refusal = suspension(account);
      if (refusal) throw refusal;
      const line = {
        type: 'GRANT',
        amount: count,
        at: call.now,
        operationId: operationId || undefined,
        reason,
      } as const;
      const { entry, owned } = await addFreezes(uow, catalog, account, line);
      const after = toFreezeEntryMessage(catalog, entry);
      return {
        answer: { entry: after, owned },
        change: { schema: StreakFreezeEntrySchema, id: entry.id, after, note: `Account ${account.id}` },
      };
    },
  });
}
