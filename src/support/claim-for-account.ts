import {
  AccountAdminService,
  type ClaimForAccountRequest,
  type ClaimForAccountResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import type { ClaimCampaignResponse } from '../../gen/laurel/v1/campaign_service_pb.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { claimCampaigns } from '../campaigns/completion/claim-campaigns.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount, uuid } from '../idempotency/content.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { byId, runSupportAction, type Waker } from './support-action.ts';

/** Claims a campaign for an account: proto AccountAdminService.ClaimForAccount. */
export function claimForAccount(
  call: Call,
  request: ClaimForAccountRequest,
  { catalogs, dispatcher }: { readonly catalogs: Catalogs; readonly dispatcher: Waker },
): Promise<ClaimForAccountResponse> {
  const { accountId, idType, operationId } = request;
  const { now } = call;
  const campaignId = request.campaignId.toLowerCase();
  return runSupportAction(call, {
    method: AccountAdminService.method.claimForAccount,
    request,
    dispatcher,
    content: [...namedAccount(idType, accountId), uuid(campaignId)],
    async work(uow) {
      const { id } = await requireAccount(uow, { accountId, idType }, 'change');
      const claim = { campaignId, account: { accountId, idType }, operationId };
      const [answer] = await claimCampaigns(uow, await catalogs(uow), [claim], { now });
      if (answer instanceof DomainError) throw answer;
      const { rewards, pendingRewards, skippedRewards } = answer as ClaimCampaignResponse;
      return {
        answer: { rewards, pendingRewards, skippedRewards },
        change: { ...byId(id), note: `Campaign ${campaignId}` },
      };
    },
  });
}
