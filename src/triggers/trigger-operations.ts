import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import { operationIdReused } from '../idempotency/once.ts';
import type { Emission } from './batch-runner.ts';
import { claimOfTrigger } from './trigger-claim.ts';

/** Operations that this process is applying. A duplicate is refused without a round trip to the database. */
export type OperationsInFlight = {
  has(key: string): boolean;
  /** Keeps the operations in flight while `submit` runs. */
  during<T>(keys: readonly string[], submit: () => Promise<T>): Promise<T>;
};

/** Starts without operations in flight. */
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

/** The triggers without duplicates of earlier operations, and for each trigger the index of the one that is applied. */
export function distinctOperations(clientId: string, triggers: readonly Trigger[]) {
  const distinct: Operation[] = [];
  const indexes = new Map<string, number>();
  const firstOf = triggers.map((trigger) => {
    const key = operationKey(clientId, trigger);
    const known = key === undefined ? undefined : indexes.get(key);
    if (known !== undefined) return known;
    if (key !== undefined) indexes.set(key, distinct.length);
    return distinct.push({ trigger, key }) - 1;
  });
  return { distinct, firstOf };
}

/** The answer to a duplicate in the same call: the answer to the first trigger, success or error. */
export function repeated(trigger: Trigger, first: Trigger, emission: Emission | Error): Emission | Error {
  if (!claimOfTrigger(trigger)!.fingerprint.equals(claimOfTrigger(first)!.fingerprint))
    return operationIdReused(trigger.operationId);
  // The webhooks wait for the answer to the first trigger only.
  return emission instanceof Error ? emission : { ...emission, replayed: true, afterAnswer: () => {} };
}
