import { operationInProgress } from '../../idempotency/once.ts';
import { usesOf } from '../../idempotency/operations.queries.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { KnownTrigger } from '../inbox/inbox.queries.ts';
import { suspendedByOperation, takeOneSuspended } from '../suspended/suspended-triggers.queries.ts';
import { type NamedEvent, type NamedOperation, useOf } from './reversal.ts';

/** An event whose operation is stored, without an entry in the journal: the account, and the time of the operation. */
export type UnjournaledEvent = {
  readonly operation: NamedOperation;
  readonly accountId: string;
  readonly createdAt: Date;
};

/**
 * Removes events that wait for their suspended accounts.
 * @param partial the events of which only a part is to be taken
 * @returns the removed events, and refusals; an event that does not wait is left out
 */
export async function withdrawSuspended(
  uow: UnitOfWork,
  events: readonly UnjournaledEvent[],
  partial: ReadonlySet<NamedEvent>,
): Promise<Map<NamedOperation, { readonly withdrawn: KnownTrigger } | DomainError>> {
  const found = new Map<NamedOperation, { readonly withdrawn: KnownTrigger } | DomainError>();
  if (events.length === 0) return found;
  const waiting = await suspendedByOperation(
    uow,
    events.map(({ operation, accountId }) => ({ ...operation, accountId })),
  );
  // An account that was resumed since the first look has taken its events, with their operation ids, to the queue.
  const uses = await usesOf(
    uow,
    events.map(({ operation }) => useOf(operation)),
  );
  for (const [index, { operation, createdAt }] of events.entries()) {
    const event = waiting[index];
    if (event !== undefined && partial.has(operation)) found.set(operation, whileSuspended());
    else if (event !== undefined && (await takeOneSuspended(uow, event.id))) {
      const { namedAccountId: accountId, ...stored } = event;
      found.set(operation, { withdrawn: { ...stored, accountId, dead: false } });
    } else if (event !== undefined || uses[index]?.createdAt.getTime() !== createdAt.getTime())
      found.set(operation, operationInProgress(operation.operationId));
  }
  return found;
}

function whileSuspended(): DomainError {
  return new DomainError(
    'ACCOUNT_SUSPENDED',
    'The event waits, because its account is suspended: leave `amount` out to remove it, or repeat the call once the account is resumed.',
  );
}
