import type { RewardDeliveryJson } from '../../../gen/laurel/v1/webhook_pb.ts';
import { deliveredCodeOf } from '../../redemptions/redemption.ts';
import { newId } from '../../kernel/ids.ts';
import { expiryOf } from '../../loyalty/ledger.ts';
import type { Amount } from '../../kernel/amount.ts';
import { earnPoints, type PointChange } from '../../loyalty/move-points.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertChests, type NewChest } from '../chests/chests.queries.ts';
import { wholeAmount } from '../definitions/reward-definition.ts';
import { type RewardType, rewardTypeRules } from '../definitions/reward-types.ts';
import { deliverProducts, type ProductClaim, type ProductOutcome } from './deliver-products.ts';
import type { EarnedReward, RewardOrder } from './earned-reward.ts';

/** An order with the id of its future delivery. */
export type Earned = { readonly id: string; readonly order: RewardOrder };

/** The rows to write for the orders of one batch, by their tables. */
export type Batch = { readonly points: PointChange[]; readonly chests: NewChest[]; readonly claims: ProductClaim[] };

/** The outcome of a batch: that of the products, and the points beyond the maximum of a balance, by the ids of the earned rewards. */
export type BatchOutcome = ProductOutcome & { readonly unpaid: ReadonlyMap<string | undefined, Amount> };

/** The delivery of one reward type. */
type TypeDelivery = {
  /** Adds the rows of an order to the batch. Its definition has the product or chest of the type: that was checked at creation. */
  readonly addTo: (batch: Batch, earned: Earned) => void;
  /** The fields of an item of the rewards webhook that only this type has. */
  readonly webhookFields: (delivery: EarnedReward, email: string | undefined) => RewardDeliveryJson | undefined;
};

/** The delivery of each reward type. The rules of the types: `definitions/reward-types.ts`. */
export const typeDeliveries: Readonly<Record<RewardType, TypeDelivery>> = {
  PRODUCTS: { addTo: addClaim, webhookFields: unitsDelivered },
  FRAGMENTS: { addTo: addClaim, webhookFields: unitsCombined },
  POINTS: { addTo: addPoints, webhookFields: noExtraFields },
  CHEST: { addTo: addChests, webhookFields: noExtraFields },
  // The earned reward itself is the badge.
  BADGE: { addTo: addNothing, webhookFields: noExtraFields },
};

/** An empty batch. */
export function newBatch(): Batch {
  return { points: [], chests: [], claims: [] };
}

/**
 * Writes a batch; the number of statements does not grow with it. The caller has locked the accounts; this locks the products.
 */
export async function writeBatch(uow: UnitOfWork, { points, chests, claims }: Batch, now: Date): Promise<BatchOutcome> {
  const unpaid = await earnPoints(uow, points);
  await insertChests(uow, chests);
  const ofPoints = points.map(({ sourceId }, index) => [sourceId, unpaid[index]!] as const);
  return { ...(await deliverProducts(uow, claims, now)), unpaid: new Map(ofPoints) };
}

function addPoints({ points }: Batch, { id, order: { accountId, reward, now, operationId } }: Earned): void {
  const expiresAt = expiryOf(now, reward.expiresInDays);
  const source = { sourceType: 'EARNED_REWARD', sourceId: id, operationId };
  points.push({ accountId, amount: reward.amount, at: now, expiresAt, ...source });
}

function addChests({ chests }: Batch, { id, order: { accountId, reward, now } }: Earned): void {
  const { chestId } = reward;
  if (chestId === undefined) return;
  const chest = { accountId, chestId, earnedRewardId: id, createdAt: now };
  const count = wholeAmount(reward);
  for (let made = 0; made < count; made += 1) chests.push({ id: newId(), ...chest });
}

function addClaim({ claims }: Batch, { id, order: { accountId, reward } }: Earned): void {
  const { type, product } = reward;
  if (product === undefined) return;
  claims.push({
    id,
    accountId,
    product,
    isPieces: rewardTypeRules[type].stock === 'pieces',
    amount: wholeAmount(reward),
  });
}

/** An item of the type PRODUCTS always has `codes` and `productRedemptions`; they are empty for a product without codes. */
function unitsDelivered(
  { productId, redemption, accountId }: EarnedReward,
  email: string | undefined,
): RewardDeliveryJson {
  const redeemables = redemption?.redeemables ?? [];
  return {
    productId,
    codes: redeemables.map(deliveredCodeOf),
    productRedemptions: redemption && [
      {
        product: redemption.product,
        account: { id: accountId, email },
        redeemables: redeemables.map(({ id, code, itemId }) => ({ id, code, itemId })),
      },
    ],
  };
}

/** The units that the pieces made, if any, with their codes, so that a receiver need not request them. */
function unitsCombined({ redemption }: EarnedReward): RewardDeliveryJson | undefined {
  if (redemption === undefined) return undefined;
  const redeemables = redemption.redeemables.map(({ id, code, itemId }) => ({ id, code, itemId }));
  return { combined: { product: redemption.product, redeemables } };
}

function addNothing(): void {}

function noExtraFields(): undefined {
  return undefined;
}
