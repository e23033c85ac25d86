import { create, type Message } from '@bufbuild/protobuf';
import { ClaimCampaignResponseSchema } from '../../../gen/laurel/v1/campaign_service_pb.ts';
import type { AccountRef } from '../../accounts/resolving/account-ref.ts';
import { activeAccountsToChange } from '../../accounts/accounts-of-batch.ts';
import type { Account } from '../../accounts/account.ts';
import {
  type BatchTimes,
  type CallBatcher,
  type CallBatcherOptions,
  createCallBatcher,
} from '../../idempotency/call-batcher.ts';
import { amongRefusals, DomainError, isGranted } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { countEarnedRewards } from '../../leaderboards/entries/count-earned-points.ts';
import { answeredRewards } from '../../rewards/delivery/answered-rewards.ts';
import { deliverSeparately } from '../../rewards/delivery/deliver-rewards.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { wakeAfter } from '../../webhooks/delivery/wake-after.ts';
import { loadAssignments } from '../assignments/assignments.queries.ts';
import type { Catalogs, ClientCatalog } from '../catalog/catalog.ts';
import { closingOrders } from './closing-orders.ts';
import {
  closeCompletions,
  completionKey,
  type CompletionState,
  completionStates,
  type Pair,
} from './completions.queries.ts';

/** An account's claim of a campaign. */
export type CampaignClaim = {
  /** The id in lower case. */
  readonly campaignId: string;
  readonly account: AccountRef;
  /** The operation id for the points ledger; empty for none. */
  readonly operationId: string;
};

/** Runs claims by group commit. */
export type CampaignClaimBatcher = CallBatcher<CampaignClaim>;

/** The dependencies of claims. */
export type CampaignClaimBatcherOptions = Omit<CallBatcherOptions<CampaignClaim>, 'run'> & {
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
};

/** The batcher of claims of this process. */
export function createCampaignClaimBatcher({
  catalogs,
  dispatcher,
  ...options
}: CampaignClaimBatcherOptions): CampaignClaimBatcher {
  return createCallBatcher<CampaignClaim>({
    ...options,
    async run(uow, claims, times) {
      const answers = await claimCampaigns(uow, await catalogs(uow), claims, times);
      return { answers, afterAnswers: wakeAfter(uow, dispatcher) };
    },
  });
}

/** An accepted claim. */
type Closed = Pair & Pick<CampaignClaim, 'operationId'>;

/**
 * Runs one client's claims in one transaction, in order: closes the campaigns and delivers their rewards. The number of statements does not
 * grow with the claims.
 * @returns one answer or refusal for each claim
 */
export async function claimCampaigns(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  claims: readonly CampaignClaim[],
  { now, lockWaitMs }: BatchTimes,
): Promise<Array<Message | DomainError>> {
  const accounts = await activeAccountsToChange(
    uow,
    claims.map(({ account }) => account),
    lockWaitMs,
  );
  const states = await completionStates(
    uow,
    claims.flatMap(({ campaignId }, index) => {
      const account = accounts[index]!;
      return account instanceof DomainError ? [] : [{ accountId: account.id, campaignId }];
    }),
  );

  function close({ campaignId, operationId }: CampaignClaim, account: Account | DomainError): Closed | DomainError {
    if (account instanceof DomainError) return account;
    const closed = { accountId: account.id, campaignId, operationId };
    const key = completionKey(closed);
    const refusal = refusalOf(catalog, campaignId, states.get(key));
    if (refusal) return refusal;
    // A later claim in the same batch finds the campaign closed.
    states.set(key, 'CLOSED');
    return closed;
  }

  const results = claims.map((claim, index) => close(claim, accounts[index]!));
  const closed = results.filter(isGranted);
  await closeCompletions(uow, closed, now);
  const outcomes = await deliverSeparately(uow, await ordersOf(uow, catalog, closed, now), accounts.filter(isGranted));
  await countEarnedRewards(uow, outcomes.flat(), now);
  const answers = outcomes.map((own) => create(ClaimCampaignResponseSchema, answeredRewards(own)));
  return amongRefusals(results, answers);
}

/** The completion rewards of each closed campaign. */
async function ordersOf(uow: UnitOfWork, catalog: ClientCatalog, closed: readonly Closed[], now: Date) {
  if (closed.length === 0) return [];
  const missionsOf = new Map<string, string[]>();
  for (const { accountId, campaignId } of closed) {
    const missionIds = catalog.rules.campaigns.get(campaignId)?.missionIds ?? [];
    missionsOf.set(accountId, [...(missionsOf.get(accountId) ?? []), ...missionIds]);
  }
  const selection = { accountIds: [...missionsOf.keys()], missionsOf, periodKeys: [''] };
  const byAccount = await loadAssignments(uow, catalog.rules, selection);
  return closed.map(({ accountId, campaignId, operationId }) =>
    closingOrders(catalog, {
      accountId,
      campaignId,
      operationId: operationId || undefined,
      now,
      assignmentOf: (missionId) => byAccount.get(accountId)?.get(missionId),
    }),
  );
}

/** The reason for which an account cannot claim a campaign; undefined if it can. */
function refusalOf(
  { rules }: ClientCatalog,
  campaignId: string,
  state: CompletionState | undefined,
): DomainError | undefined {
  const campaign = rules.campaigns.get(campaignId);
  if (!campaign || campaign.status === 'DRAFT')
    return new DomainError('CAMPAIGN_NOT_FOUND', sentence`There is no campaign with the id ${campaignId}.`);
  if (campaign.claimPolicy !== 'EXPLICIT')
    return new DomainError('CAMPAIGN_NOT_CLAIMABLE', 'The campaign closes automatically: its rewards need no claim.');
  if (state === 'CLAIMABLE' && campaign.status === 'PAUSED')
    return new DomainError('CAMPAIGN_NOT_ACTIVE', 'The campaign is paused. Claim it when it resumes.');
  if (state === 'CLAIMABLE') return undefined;
  if (state === undefined)
    return new DomainError('CAMPAIGN_NOT_COMPLETED', 'The account has yet to complete missions of this campaign.');
  const message = sentence`The account has claimed this campaign. my-rewards lists what it got.`;
  return new DomainError('CAMPAIGN_ALREADY_CLAIMED', message);
}
