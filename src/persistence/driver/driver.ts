/**
 * The service's interface to its driver, the package pg. Other folders import only this file, and only this folder imports pg
 * (.ci/layers.ts). So every use of pg's undocumented parts is in one place: docs/decisions/0093.
 */
export { bytesReceived, type Client, connectClient, cut, isUnanswered, ormPoolOptions, processIdOf } from './client.ts';
export { type ClientPool, clientPool, type PooledClient } from './client-pool.ts';
export { trafficOf } from './client-traffic.ts';
export { UnreadableMoment } from './parse-moment.ts';
export type { Statement, StatementResult, Traffic } from './statement.ts';
export { type StatementConnection, statementsOn } from './statement-connection.ts';
export { DRIVER_VERSION, requireDriverVersion } from './version.ts';
