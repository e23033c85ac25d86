import { RECEIVERS } from '../configuration/webhook-target.ts';
import type { Backlog } from '../../persistence/watches/backlog.ts';

/** Webhooks without an outcome. Messages of a deleted receiver do not count. */
export const outboxBacklog: Backlog = {
  queue: 'outbox',
  table: 'outbox_message',
  since: 'created_at',
  where: `exists (select from ${RECEIVERS}
                   where c.client_id = outbox_message.client_id and c.configuration_id = outbox_message.configuration_id)`,
};

/** Failed webhooks that wait for a retry. */
export const retryBacklog: Backlog = {
  queue: 'webhook_retries',
  table: 'webhook_retry',
  where: 'true',
  since: 'created_at',
};
