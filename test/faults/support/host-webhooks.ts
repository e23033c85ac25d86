import { expect } from 'vitest';
import type { Database } from '../../../src/persistence/database.ts';
import type { Receiver } from '../../operations/webhooks/receiver.ts';
import type { Rest } from '../../support/service.ts';

/** Configures both kinds of webhooks for the receiver, signed, so that each carries its id. */
export async function subscribe(rest: Rest, { url }: Receiver): Promise<void> {
  for (const type of ['rewards', 'publication-status']) {
    expect(await rest('PUT', `/webhooks/${type}`, { endpoint: url, signed: true })).toMatchObject({ status: 200 });
  }
}

/**
 * Waits until every webhook has an outcome, and compares the received ones with the stored ones. Each arrived at least once: after the
 * death of a sender another may send it again, with the same id and the same body.
 */
export async function expectWebhooksArrived(db: Database, clientId: string, { received }: Receiver): Promise<void> {
  const ask = <Row extends object>(sql: string) => db.unitOfWork(clientId, (uow) => uow.query<Row>(sql));
  const waiting = async () => (await ask('select 1 from outbox_message limit 1')).length;
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0);

  const bodies = Map.groupBy(received, ({ headers }) => String(headers['webhook-id']));
  for (const [id, same] of bodies) expect(new Set(same.map(({ body }) => body)).size, id).toBe(1);
  const sent = await ask<{ id: string }>('select distinct message_id as id from webhook_delivery order by id');
  expect([...bodies.keys()].toSorted()).toEqual(sent.map(({ id }) => id));

  // Each reward is part of one webhook.
  const rewards = [...bodies.values()].flatMap(([first]) => {
    const content = JSON.parse(first!.body) as Array<{ earnedRewardId: string }> | object;
    return Array.isArray(content)
      ? content.map(({ earnedRewardId }: { earnedRewardId: string }) => earnedRewardId)
      : [];
  });
  const delivered = await ask<{ id: string }>(
    `select id from earned_reward where status = 'DELIVERED' and campaign_id is not null order by id`,
  );
  expect(rewards.toSorted()).toEqual(delivered.map(({ id }) => id));
}

/** The received webhooks, each counted once. */
export function countWebhooks({ received }: Receiver): number {
  return new Set(received.map(({ headers }) => headers['webhook-id'])).size;
}
