import { expect } from 'vitest';
import type { Database } from '../../src/persistence/database.ts';
import { newGame } from '../support/game.ts';
import type { Rest, Tenant } from '../support/service.ts';
import { startHostShop } from './host-shop.ts';
import { persistentCaller } from './persistent-callers.ts';
import { persistentGrpc } from './persistent-grpc.ts';

/**
 * Customers of several hosts, who repeat what was not decided: asynchronous events over REST, events over gRPC, and
 * purchases and reservations of what is scarce.
 */
export type HostLoad = {
  readonly counts: HostCounts;
  /** Lets everybody finish, and holds what they were told against what is stored. */
  stopAndCheck(rest: Rest, db: Database): Promise<void>;
};

/** What was answered so far. */
export type HostCounts = {
  readonly asynchronous: number;
  readonly grpc: number;
  /** Purchases, those of reserved units among them. */
  readonly bought: number;
  readonly reserved: number;
  /** Purchases and reservations that came too late. */
  readonly refused: number;
};

export type HostLoadOptions = {
  readonly rest: Rest;
  readonly tenant: Tenant;
  readonly hosts: () => readonly string[];
  readonly seed: number;
};

const SENDERS = [0, 1, 2];

/** Sets a mission and a shop up and lets the customers in. */
export async function startHostLoad({ rest, tenant, hosts, seed }: HostLoadOptions): Promise<HostLoad> {
  const game = await newGame(
    { rest, ...tenant },
    { codes: { LATER: 'SINGLE' }, missions: [{ programmaticCode: 'LATER', target: 1_000_000_000 }] },
  );
  const stopping = new AbortController();
  const shop = await startHostShop({ rest, tenant, hosts, seed, stopping: stopping.signal });
  const grpc = persistentGrpc(hosts(), tenant.apiKey, seed * 1_000 + 20);
  const sent = new Map<string, number>();

  async function send(name: string, emit: (event: Event) => Promise<void>): Promise<void> {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      await emit({ programmaticCode: 'LATER', accountId: name, operationId: `${name}-${round}` });
      sent.set(name, round + 1);
    }
  }

  function later(index: number): Promise<void> {
    const post = persistentCaller(hosts, tenant.apiKey, seed * 1_000 + index);
    return send(`later-${index}`, async (event) => {
      const answer = await post('/gamification/triggers/async', { ...event, idType: 'EXTERNAL' });
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
    });
  }

  const everybody = Promise.all([...SENDERS.map(later), ...SENDERS.map((index) => send(`grpc-${index}`, grpc.emit))]);
  everybody.catch(() => stopping.abort());

  const sum = (kind: string) =>
    sent
      .entries()
      .filter(([name]) => name.startsWith(kind))
      .reduce((all, [, count]) => all + count, 0);
  return {
    get counts() {
      return { asynchronous: sum('later'), grpc: sum('grpc'), ...shop.counts };
    },
    async stopAndCheck(reader, db) {
      stopping.abort();
      await everybody;
      grpc.close();
      for (const [name, events] of sent) {
        const progress = async () => {
          const { body } = await reader('GET', `/v1/gamification/missions/progress/${name}?idType=EXTERNAL`);
          return body.find(({ missionId }: { missionId: string }) => missionId === game.missionIds[0])?.progress;
        };
        await expect.poll(progress, { timeout: 30_000, message: name }).toBe(events);
      }
      await shop.stopAndCheck(reader, db);
    },
  };
}

type Event = { readonly programmaticCode: string; readonly accountId: string; readonly operationId: string };
