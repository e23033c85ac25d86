import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { type Trigger, TriggerSchema } from '../../../gen/laurel/v1/trigger_pb.ts';

/** What a row of the inbox keeps of a trigger. */
export type StoredTrigger = {
  readonly programmaticCode: string;
  readonly accountId: string;
  readonly idType: 'EXTERNAL' | 'INTERNAL';
  /** Null if none was sent. */
  readonly metadata: NonNullable<Trigger['metadata']> | null;
  /** Null if none was sent. */
  readonly operationId: string | null;
  readonly occurredAt: Date;
};

/** A trigger that was accepted and waits to be applied. */
export type WaitingTrigger = StoredTrigger & {
  readonly id: string;
  readonly acceptedAt: Date;
  /** Failures so far. */
  readonly attempts: number;
};

/** What is kept of a trigger; `occurredAt` is settled by now. */
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

/** The trigger again. */
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
