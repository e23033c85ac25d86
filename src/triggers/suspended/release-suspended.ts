import { secondUseKey } from '../../idempotency/claim.ts';
import { deleteOperations } from '../../idempotency/operations.queries.ts';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertTriggers, keysInQueue, knownTriggers, lockTriggers } from '../inbox/inbox.queries.ts';
import { type StoredTrigger, triggerOf } from '../inbox/waiting-trigger.ts';
import { claimOfTrigger, scopeOf } from '../trigger-claim.ts';
import { type SuspendedTrigger, takeSuspended } from './suspended-triggers.queries.ts';

/** An event on its way to the queue. */
type Released = StoredTrigger & { readonly id: string; readonly acceptedAt: Date };

/**
 * Moves the events of an account to the queue, in the order of `occurredAt`, each with the time of its acceptance. Their operation ids move
 * with them: the queue stores the real answer when it applies an event. The caller has locked the account.
 * @returns the number of events
 */
export async function releaseSuspended(uow: UnitOfWork, accountId: string): Promise<number> {
  const events = (await takeSuspended(uow, accountId)).map(releasedOf);
  await deleteOperations(uow, events.flatMap(claimOf));
  for (let left = events; left.length > 0;) {
    const taken = await insertUnder(uow, left, ({ operationId }) => operationId);
    const { ofOthers, ofOtherCodes, gone } = await withTakenIds(uow, taken);
    await insertUnder(uow, ofOtherCodes, secondKeyOf);
    await insertUnder(uow, ofOthers, () => null);
    left = gone;
  }
  return events.length;
}

/** Drops all events of an account. Returns their number. */
export async function dropSuspended(uow: UnitOfWork, accountId: string): Promise<number> {
  return (await takeSuspended(uow, accountId)).length;
}

function releasedOf({ namedAccountId: accountId, acceptedAt, ...event }: SuspendedTrigger): Released {
  const { programmaticCode, idType, metadata, operationId, occurredAt } = event;
  return { programmaticCode, accountId, idType, metadata, operationId, occurredAt, acceptedAt, id: newId() };
}

function claimOf(event: StoredTrigger) {
  return claimOfTrigger(triggerOf(event)) ?? [];
}

/** Stores events in the queue, and returns those whose key is taken. */
async function insertUnder(
  uow: UnitOfWork,
  events: readonly Released[],
  keyOf: (event: Released) => string | null,
): Promise<Released[]> {
  if (events.length === 0) return [];
  const stored = await insertTriggers(
    uow,
    events.map((event) => ({ ...event, key: keyOf(event) })),
  );
  return events.filter(({ id }) => !stored.has(id));
}

/**
 * Sorts events by what has their operation ids in the queue. The same event is there if it came asynchronously as well, and needs no second
 * row. A worker may be removing that row as a repeat at this moment, so its lock is waited for.
 * @returns `ofOtherCodes`: events of another code have the ids; `ofOthers`: these were forgotten and used again by other events; `gone`: the
 * row of the same event was removed
 */
async function withTakenIds(uow: UnitOfWork, events: readonly Released[]) {
  if (events.length === 0) return { ofOtherCodes: [], ofOthers: [], gone: [] };
  const claims = events.flatMap(claimOf);
  const queued = await knownTriggers(uow, claims);
  await lockTriggers(
    uow,
    queued.map(({ id }) => id),
  );
  const [before, keys] = [new Set(queued.map(identityOf)), new Set(queued.map(secondKeyOf))];
  const after = new Set((await knownTriggers(uow, claims)).map(identityOf));
  const held = await keysInQueue(
    uow,
    events.map(({ operationId }) => operationId!),
  );
  const others = events.filter((event) => !before.has(identityOf(event)));
  const ofOthers = others.filter((event) => keys.has(secondKeyOf(event)));
  const unheld = others.filter((event) => !keys.has(secondKeyOf(event)));
  return {
    ofOthers,
    ofOtherCodes: unheld.filter(({ operationId }) => held.has(operationId!)),
    gone: [
      ...unheld.filter(({ operationId }) => !held.has(operationId!)),
      ...events.filter((event) => before.has(identityOf(event)) && !after.has(identityOf(event))),
    ],
  };
}

function secondKeyOf(event: StoredTrigger): string {
  return secondUseKey(scopeOf(event), event.operationId!);
}

/** The same for two rows of one event only: events with other ids may have the same content. */
function identityOf(event: StoredTrigger): string {
  return `${secondKeyOf(event)} ${claimOfTrigger(triggerOf(event))!.fingerprint.toString('hex')}`;
}
