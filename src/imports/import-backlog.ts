import type { Backlog } from '../persistence/watches/backlog.ts';

/** The uploaded files that are not loaded yet. */
export const importBacklog: Backlog = {
  queue: 'imports',
  table: 'csv_import',
  since: 'created_at',
  where: `finished_at is null and status in ('QUEUED', 'RUNNING')`,
};
