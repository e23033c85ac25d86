import type { Backlog } from '../../persistence/watches/backlog.ts';

/** Events that were accepted and have had no effect yet. */
export const inboxBacklog: Backlog = {
  queue: 'inbox',
  table: 'trigger_inbox',
  where: 'dead_at is null',
  since: 'accepted_at',
};

/** Events that failed too often and wait for an operator. */
export const deadTriggers: Backlog = {
  queue: 'dead_triggers',
  table: 'trigger_inbox',
  where: 'dead_at is not null',
  since: 'dead_at',
  order: 'dead_at, id',
};
