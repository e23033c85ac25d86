import { amountToDecimal } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { Delivery } from './delivery.ts';

/**
 * Records deliveries in one statement. Those that wait line up behind the others who wait for the product: its lock is
 * held, so the last place cannot change.
 */
export async function insertEarnedRewards(uow: UnitOfWork, deliveries: readonly Delivery[]): Promise<void> {
  await uow.query(
    `insert into earned_reward (client_id, id, account_id, reward_id, reward_type, amount, status, campaign_id,
                                mission_id, assignment_id, product_id, redemption_id, webhook_context, created_at,
                                delivered_at, queue_position)
     select $1::uuid, e.id, e.account_id, e.reward_id, e.reward_type, e.amount, e.status, e.campaign_id, e.mission_id,
            e.assignment_id, e.product_id, e.redemption_id, e.webhook_context, e.created_at, e.delivered_at,
            case when e.status = 'PENDING_STOCK' then
              row_number() over (partition by e.status, e.product_id order by e.position) +
              coalesce((select max(queue_position) from earned_reward
                         where client_id = $1 and product_id = e.product_id and status = 'PENDING_STOCK'), 0)
            end
       from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::numeric[], $7::text[], $8::uuid[], $9::uuid[],
                   $10::uuid[], $11::uuid[], $12::uuid[], $13::jsonb[], $14::timestamptz[], $15::timestamptz[])
            with ordinality
            as e(id, account_id, reward_id, reward_type, amount, status, campaign_id, mission_id, assignment_id,
                 product_id, redemption_id, webhook_context, created_at, delivered_at, position)`,
    [
      uow.clientId,
      deliveries.map((delivery) => delivery.id),
      deliveries.map((delivery) => delivery.accountId),
      deliveries.map((delivery) => delivery.rewardId),
      deliveries.map((delivery) => delivery.rewardType),
      deliveries.map((delivery) => amountToDecimal(delivery.amount)),
      deliveries.map((delivery) => delivery.status),
      deliveries.map((delivery) => delivery.campaignId ?? null),
      deliveries.map((delivery) => delivery.missionId ?? null),
      deliveries.map((delivery) => delivery.assignmentId ?? null),
      deliveries.map((delivery) => delivery.productId ?? null),
      deliveries.map((delivery) => delivery.redemption?.id ?? null),
      deliveries.map((delivery) => (delivery.closing ? JSON.stringify(delivery.closing) : null)),
      deliveries.map((delivery) => delivery.createdAt),
      deliveries.map((delivery) => delivery.deliveredAt ?? null),
    ],
  );
}
