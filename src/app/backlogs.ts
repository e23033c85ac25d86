import type { Backlog } from '../persistence/watches/backlog.ts';
import { deadTriggers, inboxBacklog } from '../triggers/inbox/inbox-backlog.ts';
import { changesBacklog } from '../changes/changes-backlog.ts';
import { importBacklog } from '../imports/import-backlog.ts';
import { waitingRewards } from '../rewards/delivery/waiting-rewards.ts';
import { outboxBacklog, retryBacklog } from '../webhooks/outbox/webhook-backlog.ts';

/** All backlogs in the database, for the metrics. */
export const backlogs: readonly Backlog[] = [
  inboxBacklog,
  deadTriggers,
  outboxBacklog,
  retryBacklog,
  importBacklog,
  waitingRewards,
  changesBacklog,
];
