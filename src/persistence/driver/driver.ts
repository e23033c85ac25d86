/**
 * What the service uses of its driver, the package pg. This file alone is imported from outside of the folder, and pg is imported
 * nowhere else in `src` (.ci/layers.ts), so that what pg does not document has one place: docs/decisions/0093.
 */
export { bytesReceived, type Client, connectClient, cut, isUnanswered, ormPoolOptions, processIdOf } from './client.ts';
export { type ClientPool, clientPool, type PooledClient } from './client-pool.ts';
export { trafficOf } from './client-traffic.ts';
export { UnreadableMoment } from './parse-moment.ts';
export type { Statement, StatementResult, Traffic } from './statement.ts';
export { type StatementConnection, statementsOn } from './statement-connection.ts';
export { DRIVER_VERSION, requireDriverVersion } from './version.ts';
