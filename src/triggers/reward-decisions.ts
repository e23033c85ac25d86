import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { closingOrders } from '../campaigns/campaigns/closing-orders.ts';
import { type Completion, completionKey, recordCompletions } from '../campaigns/campaigns/completions.queries.ts';
import type { CampaignClaimable, CampaignClosed, Completed, Decision } from '../engine/decision.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { Delivery, RewardOrder } from '../rewards/delivery/delivery.ts';
import { deliverRewards } from '../rewards/delivery/deliver-rewards.ts';
import type { DecidedTrigger } from './decided-trigger.ts';

/** What a batch of decided events has earned. */
export type Rewarded = {
  /** Those of each event, in the order of the events. */
  readonly deliveries: readonly (readonly Delivery[])[];
  /** The campaigns that were completed for the first time, as {@link completionKey} names them. */
  readonly completed: ReadonlySet<string>;
};

/** Whether a decision completes a campaign that the account had not completed before. */
export function isNewCompletion(
  { completed }: Rewarded,
  accountId: string,
  decision: Decision,
): decision is CampaignClosed | CampaignClaimable {
  if (decision.kind !== 'campaignClosed' && decision.kind !== 'campaignClaimable') return false;
  return completed.has(completionKey({ accountId, campaignId: decision.campaignId }));
}

/**
 * Delivers what a batch of decided events has earned: the rewards of completed missions, and those of campaigns that they
 * close, which also go to the rewards webhook.
 */
export async function rewardDecisions(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly DecidedTrigger[],
  now: Date,
): Promise<Rewarded> {
  const completed = await recordCompletions(uow, decided.flatMap(completionsOf), now);
  const orders = decided.map((item) =>
    item.decisions.flatMap((decision) => {
      if (decision.kind === 'completed') return missionOrders(catalog, item, decision, now);
      if (decision.kind !== 'campaignClosed') return [];
      const closing = {
        accountId: item.account.id,
        campaignId: decision.campaignId,
        operationId: item.claim?.operationId,
        assignmentOf: (missionId: string) => completedAssignment(item.decisions, missionId),
        now,
      };
      return completed.has(completionKey(closing)) ? closingOrders(catalog, closing) : [];
    }),
  );
  const accounts = decided.map(({ account }) => account);
  const deliveries = await deliverRewards(uow, orders.flat(), accounts);
  let next = 0;
  return { deliveries: orders.map((own) => deliveries.slice(next, (next += own.length))), completed };
}

function completionsOf({ account, decisions }: DecidedTrigger): Completion[] {
  return decisions.flatMap((decision) => {
    if (decision.kind !== 'campaignClosed' && decision.kind !== 'campaignClaimable') return [];
    return [{ accountId: account.id, campaignId: decision.campaignId, closed: decision.kind === 'campaignClosed' }];
  });
}

function missionOrders(catalog: ClientCatalog, item: DecidedTrigger, completed: Completed, now: Date): RewardOrder[] {
  const { missionId, assignment, rewardIds } = completed;
  const origin = {
    accountId: item.account.id,
    operationId: item.claim?.operationId,
    campaignId: catalog.rules.missions.get(missionId)?.campaign?.campaignId,
    missionId,
    assignmentId: assignment.id,
    now,
  };
  return rewardIds.flatMap((id) => {
    const reward = catalog.rewards.get(id);
    return reward ? [{ ...origin, reward }] : [];
  });
}

function completedAssignment(decisions: readonly Decision[], missionId: string) {
  const isIt = (decision: Decision): decision is Completed =>
    decision.kind === 'completed' && decision.missionId === missionId;
  return decisions.find(isIt)?.assignment;
}
