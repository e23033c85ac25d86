import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { type Trigger, TriggerSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { triggerInboxTable } from './trigger-inbox.entity.ts';

/** The longest delay between two attempts at a trigger, in milliseconds. */
export const LONGEST_RETRY_MS = 24 * 3_600_000;

/** The columns of a {@link StoredTrigger} that are read unchanged; the operation id is an expression. */
export const STORED = propertiesOf(triggerInboxTable, [
  'programmaticCode',
  'accountId',
  'idType',
  'metadata',
  'occurredAt',
]);

/** The columns of a trigger in the inbox. Metadata and operation id are null if the request had none. */
export type StoredTrigger = RowOf<typeof STORED> & { readonly operationId: string | null };

/** The other columns of a {@link WaitingTrigger}. */
export const WAITING = propertiesOf(triggerInboxTable, ['id', 'acceptedAt', 'attempts']);

/** A trigger that was accepted and waits to be applied. */
export type WaitingTrigger = StoredTrigger & RowOf<typeof WAITING>;

/** The stored form of a trigger. `occurredAt` has its default by now. */
export function storedTrigger(trigger: Trigger, occurredAt: Date): StoredTrigger {
  return {
    programmaticCode: trigger.programmaticCode,
    accountId: trigger.accountId,
    idType: trigger.idType === Account_IdType.EXTERNAL ? 'EXTERNAL' : 'INTERNAL',
    metadata: trigger.metadata ?? null,
    operationId: trigger.operationId === '' ? null : trigger.operationId,
    occurredAt,
  };
}

/** The trigger of a stored form. */
export function triggerOf(stored: StoredTrigger): Trigger {
  return create(TriggerSchema, {
    programmaticCode: stored.programmaticCode,
    accountId: stored.accountId,
    idType: Account_IdType[stored.idType],
    metadata: stored.metadata ?? undefined,
    operationId: stored.operationId ?? '',
    occurredAt: timestampFromDate(stored.occurredAt),
  });
}
