/**
 * SQL for one row, the `client_id` of the client `$1`, in front of values that were sent: `insert into t (client_id, ...) select
 * own.client_id, v.* from ${OWN} cross join unnest(...) as v`. Read from the table of clients and not taken from the
 * parameter, so that a distributed database sees on which node everything is and has it done there; else it copies the values
 * there, which row-level security refuses (docs/decisions/0083). Nothing is inserted for a client that does not exist.
 */
export const OWN = '(select id as client_id from client where id = $1::uuid) own';

/** The same for all clients, in a system unit of work. */
export const CLIENTS = '(select id as client_id from client) c';
