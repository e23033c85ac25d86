import type { UnitOfWork } from '../persistence/database.ts';

/** Whether the client's webhook at `/webhooks/rewards` has badges. */
export async function badgesInRewardsWebhook(uow: UnitOfWork): Promise<boolean> {
  const [row] = await uow.query<{ wanted: boolean }>(
    `select badges_in_rewards_webhook as wanted from client where id = $1`,
    [uow.clientId],
  );
  return row?.wanted ?? false;
}
