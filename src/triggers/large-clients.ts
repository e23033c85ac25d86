import type { Catalogs, ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { createFairQueue } from '../kernel/concurrency/fair-queue.ts';

/** Clients with so many missions on one code that each of their batches keeps a connection busy for long. */
export type LargeClients = {
  /** Whether the client is large in the latest catalogue of this process. */
  has(clientId: string): boolean;
  /** Runs a batch of a client. A batch of a large client waits for its turn. */
  run<T>(clientId: string, batch: () => Promise<T>): Promise<T>;
};

/** Missions on one code that make a client large: a batch of 200 events would have 20,000 pairs. */
const MISSIONS_MIN = 100;

/**
 * Batches of one large client share half of the slots, one by default, for synchronous, batched and asynchronous events together. Each
 * batch is bounded (`batchSizeFor`), but three or four in parallel kept PostgreSQL busy for that client alone. With this limit the p99 of
 * another client fell from 137 to 33 ms (docs/decisions/0018).
 * @param triggerConcurrency slots for batches of all clients
 */
export function createLargeClients(catalogs: Pick<Catalogs, 'lastKnown'>, triggerConcurrency: number): LargeClients {
  const most = Math.ceil(triggerConcurrency / 2);
  const sizes = new WeakMap<ClientCatalog, boolean>();
  /** Waiting batches. Each running batch uses one unit of its client's share. */
  const queue = createFairQueue<() => void>();

  function has(clientId: string): boolean {
    const catalog = catalogs.lastKnown(clientId);
    if (catalog === undefined) return false;
    const known = sizes.get(catalog) ?? isLarge(catalog);
    sizes.set(catalog, known);
    return known;
  }

  async function inTurn<T>(clientId: string, batch: () => Promise<T>): Promise<T> {
    if (queue.usedBy(clientId) < most) queue.use(clientId, 1);
    else await new Promise<void>((resolve) => queue.add(clientId, resolve));
    try {
      return await batch();
    } finally {
      const [next] = queue.take(clientId, 1);
      if (next === undefined) queue.use(clientId, -1);
      else next();
    }
  }

  return { has, run: (clientId, batch) => (has(clientId) ? inTurn(clientId, batch) : batch()) };
}

function isLarge({ rules }: ClientCatalog): boolean {
  return rules.byCode.values().some(({ plans }) => plans.length >= MISSIONS_MIN);
}
