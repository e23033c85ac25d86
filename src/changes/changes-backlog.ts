import type { Backlog } from '../persistence/watches/backlog.ts';

/** Changes without a number: committed, and not yet shown. */
export const changesBacklog: Backlog = {
  queue: 'changes',
  table: 'change_batch',
  where: 'number is null',
  since: 'created_at',
  order: 'position',
};
