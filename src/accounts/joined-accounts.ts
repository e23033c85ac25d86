import { LISTED_COLUMNS } from './accounts.queries.ts';

/** SQL for joins of other modules: the ids of the accounts of client `$1` that are not deleted. */
export const LIVE_ACCOUNTS =
  '(select id from account where client_id = $1 and deleted_at is null and merged_into is null)';

/**
 * SQL for lists of other modules: `client_id` and the list columns of all accounts of all clients that are not deleted. It reads the view,
 * because PostgreSQL uses the search indexes only through it: docs/decisions/0002.
 */
export const SEARCHABLE_ACCOUNTS = `(select client_id, ${LISTED_COLUMNS} from account_search where deleted_at is null)`;
