import type { Backlog } from '../../persistence/watches/backlog.ts';

/** Webhooks that have no outcome yet; of one that is deleted, those that are left are nobody's work. */
export const outboxBacklog: Backlog = {
  queue: 'outbox',
  table: 'outbox_message',
  since: 'created_at',
  where: `exists (select from webhook_configuration c
                   where c.client_id = outbox_message.client_id and c.configuration_id = outbox_message.configuration_id)`,
};

/** Webhooks that failed and are sent again. */
export const retryBacklog: Backlog = {
  queue: 'webhook_retries',
  table: 'webhook_retry',
  where: 'true',
  since: 'created_at',
};
