import { secondUseKey } from '../../idempotency/claim.ts';
import { forgetOperations } from '../../idempotency/operations.queries.ts';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertTriggers } from '../inbox/inbox.queries.ts';
import { type StoredTrigger, triggerOf } from '../inbox/waiting-trigger.ts';
import { claimOfTrigger, scopeOf } from '../trigger-claim.ts';
import { type SuspendedTrigger, takeSuspended } from './suspended-triggers.queries.ts';

/**
 * Moves the events of an account to the queue, in the order of `occurredAt`, each with the time of its acceptance. Their operation ids move
 * with them: the queue stores the real answer when it applies an event. The caller has locked the account.
 * @returns the number of events
 */
export async function releaseSuspended(uow: UnitOfWork, accountId: string): Promise<number> {
  const events = await takeSuspended(uow, accountId);
  if (events.length === 0) return 0;
  await forgetOperations(
    uow,
    events.flatMap((event) => claimOfTrigger(triggerOf(storedOf(event))) ?? []),
  );
  let left = events.map((event) => ({ ...storedOf(event), id: newId(), acceptedAt: event.acceptedAt }));
  // An id that was forgotten and used again belongs to the other event: this one is applied without it.
  for (const keyOf of KEYS) {
    const stored = await insertTriggers(
      uow,
      left.map((trigger) => ({ ...trigger, key: keyOf(trigger) })),
    );
    left = left.filter(({ id }) => !stored.has(id));
    if (left.length === 0) break;
  }
  return events.length;
}

/** The keys of an operation id in the queue, each tried for the events whose key before is taken. */
const KEYS: ReadonlyArray<(trigger: StoredTrigger) => string | null> = [
  ({ operationId }) => operationId,
  (trigger) => secondUseKey(scopeOf(trigger), trigger.operationId!),
  () => null,
];

function storedOf({ namedAccountId: accountId, ...event }: SuspendedTrigger): StoredTrigger {
  const { programmaticCode, idType, metadata, operationId, occurredAt } = event;
  return { programmaticCode, accountId, idType, metadata, operationId, occurredAt };
}
