import type { ClientCatalog } from '../campaigns/catalog.ts';
import { type Completion, completionKey, recordCompletions } from '../campaigns/completions.queries.ts';
import type { CampaignClosed, Completed, Decision } from '../engine/decision.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { Delivery, RewardOrder } from '../rewards/delivery.ts';
import { deliverRewards } from '../rewards/deliver-rewards.ts';
import type { Decided } from './decided.ts';

/**
 * Delivers what a batch of decided events has earned: the rewards of completed missions, and those of campaigns that they
 * close, which also go to the rewards webhook.
 * @returns the deliveries of each event, in the order of the events
 */
export async function rewardDecisions(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly Decided[],
  now: Date,
): Promise<Delivery[][]> {
  const completed = await recordCompletions(uow, decided.flatMap(completionsOf), now);
  const orders = decided.map((item) =>
    item.decisions.flatMap((decision) => {
      if (decision.kind === 'completed') return missionOrders(catalog, item, decision, now);
      if (decision.kind !== 'campaignClosed') return [];
      const key = completionKey({ accountId: item.account.id, campaignId: decision.campaignId });
      return completed.has(key) ? closingOrders(catalog, item, decision, now) : [];
    }),
  );
  const deliveries = await deliverRewards(uow, orders.flat());
  let next = 0;
  return orders.map((own) => deliveries.slice(next, (next += own.length)));
}

function completionsOf({ account, decisions }: Decided): Completion[] {
  return decisions.flatMap((decision) => {
    if (decision.kind !== 'campaignClosed' && decision.kind !== 'campaignClaimable') return [];
    return [{ accountId: account.id, campaignId: decision.campaignId, closed: decision.kind === 'campaignClosed' }];
  });
}

function missionOrders(catalog: ClientCatalog, item: Decided, { assignment, rewardIds }: Completed, now: Date): RewardOrder[] {
  const campaignId = catalog.rules.missions.get(assignment.missionId)?.campaign?.campaignId;
  const origin = { campaignId, missionId: assignment.missionId, assignmentId: assignment.id };
  return ordersOf(catalog, item, rewardIds, now).map((order) => ({ ...order, ...origin }));
}

function closingOrders(catalog: ClientCatalog, item: Decided, closed: CampaignClosed, now: Date): RewardOrder[] {
  const { campaignId, rewardIds } = closed;
  const closing = { assignment: soleAssignment(catalog, campaignId, item.decisions) };
  return ordersOf(catalog, item, rewardIds, now).map((order) => ({ ...order, campaignId, closing }));
}

function ordersOf(catalog: ClientCatalog, item: Decided, rewardIds: readonly string[], now: Date): RewardOrder[] {
  const base = { accountId: item.account.id, operationId: item.claim?.operationId, now };
  return rewardIds.flatMap((id) => {
    const reward = catalog.rewards.get(id);
    return reward ? [{ ...base, reward }] : [];
  });
}

/** The one assignment that a closing maps to: only a campaign of one mission has it, and only one that is no series. */
function soleAssignment(catalog: ClientCatalog, campaignId: string, decisions: readonly Decision[]) {
  const missionIds = catalog.rules.campaigns.get(campaignId)?.missionIds ?? [];
  const [missionId] = missionIds;
  const type = missionId === undefined ? undefined : catalog.rules.missions.get(missionId)?.type;
  if (missionIds.length !== 1 || (type !== 'MISSION' && type !== 'CHALLENGE')) return undefined;
  const completed = decisions.find((decision) => decision.kind === 'completed' && decision.missionId === missionId);
  return completed && 'assignment' in completed ? completed.assignment : undefined;
}
