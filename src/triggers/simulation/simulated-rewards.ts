import { create } from '@bufbuild/protobuf';
import { EarnedReward_Status, Reward_Type } from '../../../gen/laurel/v1/reward_pb.ts';
import { type SimulatedReward, SimulatedRewardSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import type { ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type EarnedReward, isEarned, type OrderOutcome } from '../../rewards/delivery/earned-reward.ts';
import { limitedStocks } from '../../rewards/products/products.queries.ts';

/** Rewards of a simulation, each with its delivery. */
export type SimulatedRewards = ReadonlyArray<{ readonly of: EarnedReward; readonly reward: SimulatedReward }>;

/** The rewards of the deliveries in this transaction, with the stock before each of them. */
export async function simulatedRewards(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  outcomes: readonly OrderOutcome[],
): Promise<SimulatedRewards> {
  const deliveries = outcomes.filter(isEarned);
  const productIds = deliveries.flatMap(({ productId }) => productId ?? []);
  const free = new Map([...(await limitedStocks(uow, productIds))].map(([id, stock]) => [id, stock.free]));
  // From the last delivery to the first: the present stock, and the units of each delivery, give the stock before it.
  const rewards = deliveries.toReversed().map((of) => {
    const { productId = '' } = of;
    const units = of.unitsNeeded ?? of.redemption?.quantity ?? 0;
    const left = free.get(productId);
    const before = left === undefined || of.status === 'PENDING_STOCK' ? left : left + units;
    if (before !== undefined) free.set(productId, before);
    return { of, reward: toSimulatedReward(catalog, of, units, before) };
  });
  return rewards.toReversed();
}

function toSimulatedReward(
  catalog: ClientCatalog,
  { rewardId, rewardType, amount, status, productId }: EarnedReward,
  units: number,
  unitsFree: number | undefined,
): SimulatedReward {
  const reward = catalog.rewards.get(rewardId);
  return create(SimulatedRewardSchema, {
    rewardId,
    name: reward?.name ?? '',
    rewardType: Reward_Type[rewardType],
    amount: amountToNumber(amount),
    status: EarnedReward_Status[status],
    ...(productId !== undefined && { productId, productName: reward?.product?.name ?? '', units, unitsFree }),
  });
}
