import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServerProcess } from '../support/server-process.ts';
import type { Workbench } from '../support/workbench.ts';

/** One webhook that has arrived as a whole. */
export type Arrival = {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The receiver's name in the address. */
  readonly receiver: string;
  /** The account in its body. */
  readonly accountId: string;
  /** The message id; empty for a webhook without a signature. */
  readonly messageId: string;
};

/** Any number of receivers, by name. */
export type Receivers = {
  endpointOf(receiver: string): string;
  /** Waits until `count` webhooks have arrived since the last call, and returns them. */
  arrivals(count: number): Promise<Arrival[]>;
  /** Makes these receivers hang from now on, and answers the requests held back by others. */
  hang(receivers: readonly string[]): Promise<void>;
};

/** Milliseconds without a new webhook after which no more are expected: longer than a timeout of the service. */
const PATIENCE = 20_000;

/** Starts the receivers, all in one process. */
export async function startReceivers({ folder, cleanUps }: Workbench): Promise<Receivers> {
  const server = await startServerProcess({
    args: [join(import.meta.dirname, 'receiver.ts')],
    env: {},
    logFile: join(folder, 'receiver.log'),
  });
  cleanUps.push(server.stop);
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(server.baseUrl + path, { method: 'POST', body: JSON.stringify(body ?? null) });
    return response.json();
  };

  async function untilArrived(count: number): Promise<void> {
    let seen = 0;
    let changedAt = Date.now();
    while (seen < count) {
      await sleep(100);
      const now = (await ask('/count')) as number;
      if (now > seen) changedAt = Date.now();
      else if (Date.now() - changedAt > PATIENCE) throw new Error(`Of ${count} webhooks ${seen} have come.`);
      seen = now;
    }
  }

  return {
    endpointOf: (receiver) => `${server.baseUrl}/hook/${receiver}`,
    async arrivals(count) {
      await untilArrived(count);
      const arrivals = (await ask('/take')) as Arrival[];
      const accounts = new Set(arrivals.map(({ accountId }) => accountId));
      if (arrivals.length === count && accounts.size === count) return arrivals;
      throw new Error(`${arrivals.length} webhooks of ${accounts.size} accounts have come instead of ${count}.`);
    },
    async hang(receivers) {
      await ask('/hang', receivers);
    },
  };
}
