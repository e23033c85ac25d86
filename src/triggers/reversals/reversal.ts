import type { TriggerReversal } from '../../../gen/laurel/v1/trigger_pb.ts';
import type { OperationKey } from '../../idempotency/once.ts';
import { checkedText } from '../../kernel/text.ts';
import { type Amount, amountFromNumber } from '../../kernel/amount.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { ENTRY_ID } from '../../journal/entry-id.ts';
import type { OperationUse } from '../../idempotency/operations.queries.ts';
import { scopeOf } from '../trigger-claim.ts';

/** An event by its operation id. */
export type NamedOperation = {
  readonly operationId: string;
  readonly programmaticCode: string;
  readonly entryId?: undefined;
};

/** The event that a reversal names. */
export type NamedEvent = NamedOperation | { readonly entryId: string };

/** The use of the operation id by the event. */
export function useOf({ operationId, ...event }: NamedOperation): OperationUse {
  return { operationId, scope: scopeOf(event) };
}

/** A checked reversal. */
export type Reversal = {
  readonly event: NamedEvent;
  /** Undefined for all that is left of the event. */
  readonly amount: Amount | undefined;
  readonly reason: string | undefined;
  /** Empty for none. */
  readonly operationId: string;
};

/**
 * The reversal in a request.
 * @throws DomainError `BAD_REQUEST` unless it names one event, and for an amount or a reason that cannot be stored
 */
export function reversalOf(request: TriggerReversal): Reversal {
  const { amount, reason, operationId } = request;
  return {
    event: eventOf(request),
    amount: amount === undefined ? undefined : amountFromNumber(amount, '`amount`'),
    reason: reason === '' ? undefined : checkedText(reason, '`reason`'),
    operationId,
  };
}

function eventOf({ triggerOperationId, programmaticCode, journalEntryId }: TriggerReversal): NamedEvent {
  if (journalEntryId === undefined) {
    if (triggerOperationId === '' || programmaticCode === '')
      throw badRequest('Name the event by `triggerOperationId` and `programmaticCode`, or by `journalEntryId`.');
    return { operationId: triggerOperationId, programmaticCode };
  }
  if (triggerOperationId !== '' || programmaticCode !== '')
    throw badRequest('`journalEntryId` names the event: leave `triggerOperationId` and `programmaticCode` out.');
  const entryId = journalEntryId.toLowerCase();
  if (!ENTRY_ID.test(entryId)) throw badRequest('`journalEntryId` is the `id` of an entry of GET /admin/journal.');
  return { entryId };
}

/** The identity of a reversal: its operation id, and all values that decide its effect or are shown later. */
export function reversalKey({ event, amount, reason, operationId }: Reversal): OperationKey {
  const named = 'operationId' in event ? [event.programmaticCode, event.operationId] : ['', event.entryId];
  return { operationId, content: ['ReverseTrigger', ...named, `${amount}`, `${reason}`] };
}
