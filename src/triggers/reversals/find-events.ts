import { EFFECTS_WITHOUT_EVENT, type JournalEntryRow } from '../../journal/journal-row.ts';
import { entriesOfEvents, entryById } from '../../journal/read-journal.ts';
import { claimOf } from '../../idempotency/claim.ts';
import { operationInProgress } from '../../idempotency/once.ts';
import { claimOperations, usesOf } from '../../idempotency/operations.queries.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { knownTriggers, type KnownTrigger, takeWaiting } from '../inbox/inbox.queries.ts';
import { type NamedEvent, type NamedOperation, type Reversal, useOf } from './reversal.ts';
import { withdrawSuspended } from './withdraw-suspended.ts';

/** An event that was applied. */
export type AppliedEvent = JournalEntryRow & { readonly accountId: string };

/** The event of a reversal: it was applied, or it waited and is removed from the queue by now. */
export type FoundEvent = { readonly applied: AppliedEvent } | { readonly withdrawn: KnownTrigger };

/**
 * The events of reversals, one result or refusal for each, in order. Events that wait or are dead are removed from the queue: the caller
 * must not undo that unless the transaction is rolled back.
 */
export async function findEvents(
  uow: UnitOfWork,
  reversals: readonly Reversal[],
): Promise<Array<FoundEvent | DomainError>> {
  const events = reversals.map(({ event }) => event);
  const operations = events.flatMap((event) => ('operationId' in event ? [event] : []));
  const partial = new Set(reversals.flatMap(({ event, amount }) => (amount === undefined ? [] : [event])));
  const found = await appliedByOperation(uow, operations, partial);
  const missing = operations.filter((operation) => !found.has(operation));
  for (const [operation, event] of await waitingByOperation(uow, missing, partial)) found.set(operation, event);
  return Promise.all(
    events.map(async (event) => ('operationId' in event ? found.get(event)! : appliedById(uow, event.entryId))),
  );
}

/** Events whose operations are stored: they were applied, or they wait for their suspended account. */
async function appliedByOperation(
  uow: UnitOfWork,
  operations: readonly NamedOperation[],
  partial: ReadonlySet<NamedEvent>,
): Promise<Map<NamedOperation, FoundEvent | DomainError>> {
  const uses = await usesOf(uow, operations.map(useOf));
  const stored = operations.flatMap((operation, index) => {
    const use = uses[index];
    return use === undefined ? [] : [{ operation, use }];
  });
  // Without an account, the account was erased, and its entries with it.
  const known = stored.filter(({ use }) => use.accountId !== null);
  const entries = await entriesOfEvents(
    uow,
    known.map(({ operation, use }) => ({ ...operation, accountId: use.accountId!, createdAt: use.createdAt })),
  );
  const entryOf = new Map(known.map(({ operation }, index) => [operation, entries[index]]));
  const without = known.filter((_, index) => entries[index] === undefined);
  const suspended = await withdrawSuspended(
    uow,
    without.map(({ operation, use }) => ({ ...use, operation, accountId: use.accountId! })),
    partial,
  );
  return new Map(
    stored.map(({ operation }) => [operation, suspended.get(operation) ?? appliedEvent(entryOf.get(operation))]),
  );
}

async function appliedById(uow: UnitOfWork, entryId: string): Promise<FoundEvent | DomainError> {
  const entry = await entryById(uow, entryId);
  if (entry !== undefined) return appliedEvent(entry);
  return triggerNotFound(
    'The journal has no such entry, or does not have it any more. GET /admin/journal has the ids.',
  );
}

/** The applied event of an entry, or the refusal of one that is no such event or is not there any more. */
export function appliedEvent(entry: JournalEntryRow | undefined): FoundEvent | DomainError {
  if (entry === undefined) return tooOld();
  if (EFFECTS_WITHOUT_EVENT.includes(entry.effect) || entry.accountId === null)
    return triggerNotFound('This entry of the journal is no applied event.');
  return { applied: { ...entry, accountId: entry.accountId } };
}

/**
 * Removes events that wait or are dead, if their operation ids are free. The claim of an id keeps its event from being applied meanwhile. A
 * transaction that applied it before may have committed since the claim read the operations, so these are read again. Two processes that
 * accept one event at the same time may store it under both of its keys: both rows are removed.
 * @param partial the events of which only a part is to be taken
 */
async function waitingByOperation(
  uow: UnitOfWork,
  operations: readonly NamedOperation[],
  partial: ReadonlySet<NamedEvent>,
): Promise<Map<NamedOperation, FoundEvent | DomainError>> {
  if (operations.length === 0) return new Map();
  const claims = operations.map((operation) => claimOf(operation.operationId, useOf(operation).scope, []));
  const outcomes = await claimOperations(uow, claims);
  const uses = await usesOf(uow, operations.map(useOf));
  const free = new Set(operations.filter((_, index) => outcomes[index]!.state === 'free' && uses[index] === undefined));
  const known = await knownTriggers(uow, claims);
  const triggersOf = ({ operationId, programmaticCode }: NamedOperation) =>
    known.filter((each) => each.operationId === operationId && each.programmaticCode === programmaticCode);
  const taken = await takeWaiting(
    uow,
    operations.flatMap((operation) =>
      free.has(operation) && !partial.has(operation) ? triggersOf(operation).map(({ id }) => id) : [],
    ),
  );
  return new Map(
    operations.map((operation) => [
      operation,
      free.has(operation) ? outcomeOf(operation, triggersOf(operation)) : operationInProgress(operation.operationId),
    ]),
  );

  function outcomeOf(operation: NamedOperation, triggers: readonly KnownTrigger[]): FoundEvent | DomainError {
    const { operationId, programmaticCode } = operation;
    const [trigger] = triggers;
    if (trigger === undefined) {
      const message = sentence`No event '${programmaticCode}' with the operationId '${operationId}' is known. Name an old event by journalEntryId.`;
      return triggerNotFound(message);
    }
    if (triggers.every(({ id }) => taken.has(id))) return { withdrawn: trigger };
    if (trigger.dead)
      return badRequest(
        'The event is a dead trigger: leave `amount` out to remove it, or replay it before you take a part back.',
      );
    return operationInProgress(operationId);
  }
}

function triggerNotFound(message: ConstructorParameters<typeof DomainError>[1]): DomainError {
  return new DomainError('TRIGGER_NOT_FOUND', message);
}

function tooOld(): DomainError {
  return new DomainError(
    'REVERSAL_TOO_OLD',
    'The journal does not have this event any more, so it cannot be taken back. Correct what it did by hand.',
  );
}
