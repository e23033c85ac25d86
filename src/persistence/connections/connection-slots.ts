import { createFairQueue } from '../../kernel/concurrency/fair-queue.ts';
import { databaseBusy } from './failures.ts';

/** The turns of clients to use a connection of this process. */
export type ConnectionSlots = {
  /**
   * Runs `work` when the client gets a slot.
   * @throws DomainError `DATABASE_BUSY` when no slot becomes free within the time
   */
  run<T>(clientId: string, work: () => Promise<T>): Promise<T>;
  /** The calls that wait for a slot now. */
  waiting(): number;
};

export type ConnectionSlotsOptions = {
  /** The number of connections. */
  readonly slots: number;
  /** Milliseconds to wait for a slot. */
  readonly timeoutMs: number;
  /** The id under which the service itself asks; it may use every connection. */
  readonly unlimited: string;
};

/**
 * Limits one client to three quarters of the connections, so that others are served while its calls all wait for the same row.
 * Waiting calls enter in turn by client, not by call: a client with one call never waits for the hundred calls of another client.
 */
export function createConnectionSlots({ slots, timeoutMs, unlimited }: ConnectionSlotsOptions): ConnectionSlots {
  const most = Math.max(1, Math.floor((slots * 3) / 4));
  const queue = createFairQueue<() => void>();

  function mayEnter(clientId: string): boolean {
    return queue.used < slots && (clientId === unlimited || queue.usedBy(clientId) < most);
  }

  function leave(clientId: string): void {
    queue.use(clientId, -1);
    letIn();
  }

  function letIn(): void {
    while (queue.used < slots) {
      const clientId = queue.next(mayEnter);
      if (clientId === undefined) return;
      const [enter] = queue.take(clientId, 1);
      queue.use(clientId, 1);
      enter!();
    }
  }

  function wait(clientId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.remove(clientId, enter);
        reject(databaseBusy(new Error('No connection became free in time.')));
      }, timeoutMs);
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      queue.add(clientId, enter);
    });
  }

  return {
    waiting: () => queue.waiting().length,
    async run(clientId, work) {
      if (mayEnter(clientId)) queue.use(clientId, 1);
      else await wait(clientId);
      try {
        return await work();
      } finally {
        leave(clientId);
      }
    },
  };
}
