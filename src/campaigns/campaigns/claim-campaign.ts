import {
  type ClaimCampaignRequest,
  type ClaimCampaignResponse,
  ClaimCampaignResponseSchema,
} from '../../../gen/laurel/v1/campaign_service_pb.ts';
import { requireAccount } from '../../accounts/resolve-accounts.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { namedAccount, uuid } from '../../idempotency/content.ts';
import { idempotentCall } from '../../idempotency/idempotent-call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { answeredRewards } from '../../rewards/delivery/answered-rewards.ts';
import { deliverRewards } from '../../rewards/delivery/deliver-rewards.ts';
import type { Delivery } from '../../rewards/delivery/delivery.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { enqueuedIn } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { loadAssignments } from '../assignments/assignments.queries.ts';
import type { Catalogs, ClientCatalog } from '../catalog/catalog.ts';
import { closingOrders } from './closing-orders.ts';
import { closeCompletion, type CompletionState, completionState } from './completions.queries.ts';

/** What claiming needs beside the request. */
export type ClaimOptions = {
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
};

/** Closes an EXPLICIT campaign for an account that has completed it: proto CampaignService.ClaimCampaign. */
export async function claimCampaign(
  call: Call,
  request: ClaimCampaignRequest,
  { catalogs, dispatcher }: ClaimOptions,
): Promise<ClaimCampaignResponse> {
  const { operationId, accountId, idType } = request;
  const campaignId = request.campaignId.toLowerCase();
  const { now, principal } = call;
  const key = { operationId, content: ['claim', uuid(campaignId), ...namedAccount(idType, accountId)] } as const;
  let messageIds: readonly string[] = [];
  const response = await idempotentCall(call, key, ClaimCampaignResponseSchema, async (uow) => {
    const account = await requireAccount(uow, { accountId, idType }, 'change');
    const deliveries = await close(uow, await catalogs(uow), { campaignId, accountId: account.id, operationId, now });
    messageIds = enqueuedIn(uow);
    return answeredRewards(deliveries);
  });
  if (messageIds.length > 0) call.afterResponse(() => dispatcher.wake(principal.clientId, messageIds));
  return response;
}

type Claim = {
  readonly campaignId: string;
  readonly accountId: string;
  readonly operationId: string;
  readonly now: Date;
};

async function close(uow: UnitOfWork, catalog: ClientCatalog, claim: Claim): Promise<Delivery[]> {
  const { accountId, campaignId, operationId, now } = claim;
  const campaign = catalog.rules.campaigns.get(campaignId);
  if (!campaign || campaign.status === 'DRAFT')
    throw new DomainError('CAMPAIGN_NOT_FOUND', `There is no campaign with the id ${campaignId}.`);
  if (campaign.claimPolicy !== 'EXPLICIT') {
    throw new DomainError('CAMPAIGN_NOT_CLAIMABLE', 'The campaign closes by itself: its rewards need no claim.');
  }
  requireClaimable(await completionState(uow, accountId, campaignId));
  await closeCompletion(uow, accountId, campaignId, now);
  const { missionIds } = campaign;
  const byAccount = await loadAssignments(uow, catalog.rules, {
    accountIds: [accountId],
    missionsOf: new Map([[accountId, missionIds]]),
    periodKeys: [''],
  });
  const assignmentOf = (missionId: string) => byAccount.get(accountId)?.get(missionId);
  return deliverRewards(
    uow,
    closingOrders(catalog, { accountId, campaignId, operationId: operationId || undefined, assignmentOf, now }),
  );
}

function requireClaimable(state: CompletionState): void {
  if (state === 'CLAIMABLE') return;
  if (state === 'CLOSED') {
    throw new DomainError(
      'CAMPAIGN_ALREADY_CLAIMED',
      'The account has claimed this campaign. my-rewards lists what it got.',
    );
  }
  throw new DomainError('CAMPAIGN_NOT_COMPLETED', 'The account has yet to complete missions of this campaign.');
}
