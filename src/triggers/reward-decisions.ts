import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { closingOrders } from '../campaigns/completion/closing-orders.ts';
import { type Completion, completionKey, recordCompletions } from '../campaigns/completion/completions.queries.ts';
import { calculatedAmount } from '../campaigns/formulas/formula-amount.ts';
import type { Completed, Decision, Progressed } from '../engine/decision.ts';
import { SUM_MAX } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { rewardTypeRules } from '../rewards/definitions/reward-types.ts';
import type { RewardOrder } from '../rewards/delivery/earned-reward.ts';
import { deliverSeparately } from '../rewards/delivery/deliver-rewards.ts';
import { type BackfillRewards, deliverAllowed } from './backfill/backfill-rewards.ts';
import type { Rewardable, Rewarded } from './batch-trigger.ts';
import { levelOrders } from './levels-of-event.ts';

/**
 * Delivers the rewards that a batch of decided events has earned: those of completed missions, those of closed campaigns, which are also
 * sent to the rewards webhook, and those of levels.
 * @param allowed the rewards that backfilled events deliver; ALL for other events
 */
export async function rewardDecisions<Item extends Rewardable>(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly Item[],
  now: Date,
  allowed: BackfillRewards = 'ALL',
): Promise<(Item & Rewarded)[]> {
  const completed = await recordCompletions(uow, decided.flatMap(completionsOf), now);
  const orders = decided.map((item) => {
    const ofDecisions = ordersOf(catalog, item, completed, now);
    const ofLevels = levelOrders(catalog, item, now);
    return ofLevels.length === 0 ? ofDecisions : [...ofDecisions, ...ofLevels];
  });
  const accounts = decided.map(({ account }) => account);
  const outcomes = await deliverAllowed(orders, allowed, (some) => deliverSeparately(uow, some, accounts));
  return decided.map((item, index) => ({
    ...item,
    outcomes: outcomes[index]!,
    completedCampaignIds: completionsOf(item).flatMap((completion) =>
      completed.has(completionKey(completion)) ? [completion.campaignId] : [],
    ),
  }));
}

/** Most events complete nothing. */
const NOTHING: readonly never[] = [];

/** The rewards of the missions and campaigns that an event completed. @param completed the keys of the recorded completions */
function ordersOf(
  catalog: ClientCatalog,
  item: Rewardable,
  completed: ReadonlySet<string>,
  now: Date,
): readonly RewardOrder[] {
  if (item.decisions.every(paysNothing)) return NOTHING;
  return item.decisions.flatMap((decision) => {
    if (decision.kind === 'completed')
      return [...milestoneOrders(catalog, item, decision, now), ...missionOrders(catalog, item, decision, now)];
    if (decision.kind === 'progressed') return milestoneOrders(catalog, item, decision, now);
    if (decision.kind !== 'campaignClosed') return [];
    const closing = {
      accountId: item.account.id,
      campaignId: decision.campaignId,
      operationId: item.claim?.operationId,
      assignmentOf: (missionId: string) =>
        completedAssignment(item.decisions, missionId) ?? item.context.assignments.get(missionId),
      now,
    };
    return completed.has(completionKey(closing)) ? closingOrders(catalog, closing) : [];
  });
}

/** Whether a decision completes nothing and reaches no milestone. */
function paysNothing(decision: Decision): boolean {
  return completesNothing(decision) && (decision.kind !== 'progressed' || decision.milestones === undefined);
}

function completesNothing({ kind }: Decision): boolean {
  return kind === 'progressed' || kind === 'uncounted';
}

function completionsOf({ account, decisions }: Rewardable): readonly Completion[] {
  if (decisions.every(completesNothing)) return NOTHING;
  return decisions.flatMap((decision) => {
    if (decision.kind !== 'campaignClosed' && decision.kind !== 'campaignClaimable') return [];
    return [{ accountId: account.id, campaignId: decision.campaignId, closed: decision.kind === 'campaignClosed' }];
  });
}

/** The rewards of the milestones that an event is the first to reach. */
function milestoneOrders(
  catalog: ClientCatalog,
  item: Rewardable,
  decision: Progressed | Completed,
  now: Date,
): readonly RewardOrder[] {
  const { milestones = NOTHING, previousProgress: progress } = decision;
  return milestones.flatMap(({ length, rewardIds }) =>
    rewardIds.flatMap((id): readonly RewardOrder[] => {
      const reward = catalog.rewards.get(id);
      if (reward === undefined) return NOTHING;
      const calculated = calculatedAmount(catalog, reward, { event: item.event, account: item.context, progress });
      return [{ ...originOf(catalog, item, decision, now), reward, calculated, milestone: length }];
    }),
  );
}

/** The source of the rewards of a mission. */
function originOf(
  catalog: ClientCatalog,
  item: Rewardable,
  { missionId, assignment }: Progressed | Completed,
  now: Date,
): Omit<RewardOrder, 'reward'> {
  return {
    accountId: item.account.id,
    operationId: item.claim?.operationId,
    campaignId: catalog.rules.missions.get(missionId)?.campaign?.campaignId,
    missionId,
    assignmentId: assignment.id,
    mayBeKept: assignment.detail?.reversed,
    now,
  };
}

function missionOrders(catalog: ClientCatalog, item: Rewardable, completed: Completed, now: Date): RewardOrder[] {
  const { assignment, rewardIds, rounds } = completed;
  const origin = originOf(catalog, item, completed, now);
  const { completions } = assignment.detail ?? {};
  const firstRound = completions === undefined ? undefined : completions - rounds + 1;
  return rewardIds.flatMap((id) => {
    const reward = catalog.rewards.get(id);
    if (reward === undefined) return [];
    const calculated = calculatedAmount(catalog, reward, {
      event: item.event,
      account: item.context,
      progress: completed.previousProgress,
    });
    return ordersOfRounds({ ...origin, reward, calculated, firstRound }, rounds);
  });
}

/** The rounds of one event from which a reward of points is one delivery with the sum. */
const ROUNDS_TO_SUM = 100;

/**
 * The orders of one reward for the rounds that one event completes. A sum is at most the maximum of a balance. One skip is for all rounds.
 */
function ordersOfRounds(order: RewardOrder, rounds: number): RewardOrder[] {
  const { reward, calculated, firstRound } = order;
  const amount = calculated ?? reward.amount;
  if (firstRound === undefined || rounds === 1 || typeof amount !== 'bigint') return [order];
  if (rounds < ROUNDS_TO_SUM || !rewardTypeRules[reward.type].isPoints)
    return Array.from({ length: rounds }, (_, index) => ({ ...order, firstRound: firstRound + index }));
  const sum = amount * BigInt(rounds);
  const paid = sum < SUM_MAX ? sum : SUM_MAX;
  return [{ ...order, reward: { ...reward, amount: paid }, calculated: calculated && paid, rounds }];
}

function completedAssignment(decisions: readonly Decision[], missionId: string) {
  const isIt = (decision: Decision): decision is Completed =>
    decision.kind === 'completed' && decision.missionId === missionId;
  return decisions.find(isIt)?.assignment;
}
