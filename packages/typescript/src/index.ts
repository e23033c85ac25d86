export { Laurel, type CallOptions, type OperationOptions, type QuietOutcome } from './laurel.ts';
export type { IdType, LaurelOptions } from './settings.ts';
export type { Call, Hooks } from './call-transport.ts';
export type { BatchedEvent, BatchOutcome, EventContent } from './events.ts';
export type { Conditions, FieldsOf, ListQuery, RowOf, Where } from './lists.ts';
export { LaurelError, type ErrorKind, type FieldFault } from './laurel-error.ts';
export * from './gen/errors.ts';
