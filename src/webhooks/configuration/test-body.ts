import type { PublicationStatusChangeJson, RewardDeliveryJson } from '../../../gen/laurel/v1/webhook_pb.ts';
import { newId } from '../../kernel/ids.ts';
import type { WebhookType } from './webhook-type.ts';

/** A body of the real shape that says `test: true`. Its ids are new, so that none of them names something real. */
export function testBody(type: WebhookType, clientId: string, now: Date): string {
  return JSON.stringify(type === 'REWARDS' ? [testDelivery()] : testChange(clientId, now));
}

/** A product, because no other reward has as many fields. */
function testDelivery(): RewardDeliveryJson {
  const accountId = newId();
  const rewardId = newId();
  const assignmentId = newId();
  const product = { id: newId(), name: 'Test product' };
  const item = { id: newId(), name: 'Test item' };
  return {
    accountId,
    type: 'PRODUCTS',
    amount: 1,
    productId: product.id,
    codes: [{ code: 'TEST-CODE', item }],
    rewardId,
    campaignId: newId(),
    assignmentId,
    assignment: {
      id: assignmentId,
      progress: 1,
      target: 1,
      status: 'COMPLETED',
      missionId: newId(),
      accountId,
      rewardId,
    },
    productRedemptions: [
      {
        product,
        account: { id: accountId, email: 'test@example.com' },
        redeemables: [{ id: newId(), code: 'TEST-CODE', itemId: item.id }],
      },
    ],
    earnedRewardId: newId(),
    test: true,
  };
}

function testChange(clientId: string, now: Date): PublicationStatusChangeJson {
  return {
    publicationId: newId(),
    productId: newId(),
    clientId,
    status: 'PUBLISHED_ON_MARKETPLACE',
    pauseReason: 'NONE',
    availableStock: 10,
    timestamp: now.toISOString(),
    test: true,
  };
}
