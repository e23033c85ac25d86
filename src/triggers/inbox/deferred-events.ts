import type { WaitingTrigger } from './waiting-trigger.ts';

/** The events of a committed batch, and those of them that were set aside. */
type SettledBatch = { readonly triggers: readonly WaitingTrigger[]; readonly setAside: readonly WaitingTrigger[] };

/**
 * Events that this process has deferred because another transaction has locked their accounts. Later events of such an
 * account may be applied only together with them or after them, to keep the order of acceptance.
 */
export type DeferredEvents = {
  /** The events of a batch that must wait for deferred events outside of the batch. */
  behindOthers(clientId: string, batch: readonly WaitingTrigger[]): ReadonlySet<WaitingTrigger>;
  /** Records which events of a committed batch were set aside. */
  settle(clientId: string, batch: SettledBatch): void;
};

/** Milliseconds for which a deferred event counts as waiting. It is due much sooner, and another process may have applied it by then. */
const BELIEVED_MS = 5_000;

/** The deferred events of this process. Across processes the order of two events of one account is not guaranteed. */
export function createDeferredEvents(): DeferredEvents {
  /** By client and account: ids of events, with the time until which each counts as waiting. */
  const waiting = new Map<string, Map<string, number>>();

  return {
    behindOthers(clientId, batch) {
      const behind = new Set<WaitingTrigger>();
      if (waiting.size === 0) return behind;
      const inBatch = new Set(batch.map(({ id }) => id));
      const firstOf = new Map<string, string | undefined>();
      for (const trigger of batch) {
        const key = keyOf(clientId, trigger);
        if (!firstOf.has(key)) firstOf.set(key, firstElsewhere(key, inBatch));
        const first = firstOf.get(key);
        if (first !== undefined && first < trigger.id) behind.add(trigger);
      }
      return behind;
    },
    settle(clientId, { triggers, setAside }) {
      if (setAside.length === 0 && waiting.size === 0) return;
      for (const trigger of triggers) {
        const key = keyOf(clientId, trigger);
        waiting.get(key)?.delete(trigger.id);
        if (waiting.get(key)?.size === 0) waiting.delete(key);
      }
      for (const trigger of setAside) {
        const key = keyOf(clientId, trigger);
        const ids = waiting.get(key) ?? new Map<string, number>();
        waiting.set(key, ids.set(trigger.id, performance.now() + BELIEVED_MS));
      }
    },
  };

  /** The first deferred event of an account outside the batch. */
  function firstElsewhere(key: string, inBatch: ReadonlySet<string>): string | undefined {
    const ids = waiting.get(key);
    let first: string | undefined;
    for (const [id, until] of ids ?? []) {
      if (until < performance.now()) ids!.delete(id);
      else if (!inBatch.has(id) && (first === undefined || id < first)) first = id;
    }
    if (ids?.size === 0) waiting.delete(key);
    return first;
  }
}

/** The key of an account, in the form that the event names it. */
function keyOf(clientId: string, { accountId, idType }: WaitingTrigger): string {
  return `${clientId} ${idType} ${accountId}`;
}
