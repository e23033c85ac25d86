import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CancelPendingRewardRequest,
  type CancelPendingRewardResponseSchema,
  RewardAdminService,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { EarnedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { lockAccounts } from '../../accounts/resolve-accounts.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Delivery } from './delivery.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';
import { dropFromQueue, findEarnedReward } from './earned-rewards.queries.ts';
import type { Product } from '../products/product.ts';
import { requireProduct } from '../products/products.queries.ts';
import { restock } from './restock.ts';
import { announceSettled } from './reward-webhooks.ts';
import { lockStocks, saveStocks } from '../products/stock.queries.ts';

/** Takes away an earned reward that waits for stock: proto RewardAdminService.CancelPendingReward. */
export async function cancelPendingReward(
  { db, principal, now }: Call,
  request: CancelPendingRewardRequest,
): Promise<MessageInitShape<typeof CancelPendingRewardResponseSchema>> {
  const id = request.id.toLowerCase();
  const note = checkedText(request.reason, '`reason`');
  const { reward, product } = await db.unitOfWork(principal.clientId, async (uow) => {
    const cancelled = await leaveQueue(uow, id, now);
    const before = toEarnedRewardMessage(cancelled.reward);
    const operation = RewardAdminService.method.cancelPendingReward;
    await recordChange(uow, principal, { operation, schema: EarnedRewardSchema, id, before, note });
    return cancelled;
  });
  // What did not suffice for it may suffice for those behind. If this process dies here, housekeeping goes on.
  await restock(db, principal.clientId, product, async () => 0, now);
  return { reward: toEarnedRewardMessage(reward) };
}

async function leaveQueue(uow: UnitOfWork, id: string, now: Date): Promise<{ reward: Delivery; product: Product }> {
  const { accountId, productId = '' } = await requirePending(uow, id);
  await lockAccounts(uow, [accountId]);
  const product = await requireProduct(uow, productId);
  const stocks = await lockStocks(uow, [product]);
  // Read again under the product's lock: only now can no restock deliver it.
  const reward = await requirePending(uow, id);
  stocks.get(product.id)!.waiting -= 1;
  await dropFromQueue(uow, [id]);
  await saveStocks(uow, stocks.values(), now);
  await announceSettled(uow, [reward]);
  return { reward, product };
}

async function requirePending(uow: UnitOfWork, id: string): Promise<Delivery> {
  const reward = await findEarnedReward(uow, id);
  if (reward === undefined) throw new DomainError('EARNED_REWARD_NOT_FOUND', `There is no earned reward ${id}.`);
  if (reward.status === 'PENDING_STOCK') return reward;
  const message = 'The account has the reward already: only what waits for stock can be taken away.';
  throw new DomainError('REWARD_ALREADY_DELIVERED', message);
}
