/**
 * SQL for one row, the `client_id` of the client `$1`, in front of values that were sent: `insert into t (client_id, ...) select
 * client_row.client_id, v.* from ${CLIENT_ROW} cross join unnest(...) as v`. The id comes from the table of clients and not from the
 * parameter, so that a distributed database runs the statement on the client's node; otherwise it copies the values there, which row-level
 * security refuses (docs/decisions/0083). For an unknown client it inserts no row.
 */
export const CLIENT_ROW = '(select id as client_id from client where id = $1::uuid) client_row';

/** The same for all clients, in a system unit of work. */
export const CLIENT_ROWS = '(select id as client_id from client) c';
