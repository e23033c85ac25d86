import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import { operationIdReused } from '../idempotency/once.ts';
import type { Emission } from './apply-batch.ts';
import { claimOf } from './trigger-claim.ts';

/** Operations that this process is applying. A duplicate of one is refused at once, without a round trip to the database. */
export type OperationsInFlight = {
  has(key: string): boolean;
  /** Keeps the operations in flight while `submit` runs. */
  during<T>(keys: readonly string[], submit: () => Promise<T>): Promise<T>;
};

/** No operation is in flight yet. */
export function createOperationsInFlight(): OperationsInFlight {
  const inFlight = new Set<string>();
  return {
    has: (key) => inFlight.has(key),
    async during(keys, submit) {
      for (const key of keys) inFlight.add(key);
      try {
        return await submit();
      } finally {
        for (const key of keys) inFlight.delete(key);
      }
    },
  };
}

/** The key of an operation in flight; undefined for a trigger without an operation id, which is never a repeat. */
export function operationKey(clientId: string, { programmaticCode, operationId }: Trigger): string | undefined {
  if (operationId === '') return undefined;
  return `${clientId} ${programmaticCode.length} ${programmaticCode} ${operationId}`;
}

/** A trigger to be applied, and its {@link operationKey}. */
export type Operation = { readonly trigger: Trigger; readonly key: string | undefined };

/** The triggers without those whose operation stands before them, and for each trigger the index of the one to be applied. */
export function distinctOperations(clientId: string, triggers: readonly Trigger[]) {
  const distinct: Operation[] = [];
  const places = new Map<string, number>();
  const firstOf = triggers.map((trigger) => {
    const key = operationKey(clientId, trigger);
    const known = key === undefined ? undefined : places.get(key);
    if (known !== undefined) return known;
    if (key !== undefined) places.set(key, distinct.length);
    return distinct.push({ trigger, key }) - 1;
  });
  return { distinct, firstOf };
}

/** The answer to a trigger whose operation stands before it in the same call: that of the first, success or error. */
export function repeated(trigger: Trigger, first: Trigger, emission: Emission | Error): Emission | Error {
  if (!claimOf(trigger)!.fingerprint.equals(claimOf(first)!.fingerprint)) return operationIdReused(trigger.operationId);
  // Only the first has been waited for before its webhooks go out.
  return emission instanceof Error ? emission : { ...emission, replayed: true, answered: () => {} };
}
