import { expect } from 'vitest';
import type { Database } from '../../../src/persistence/database.ts';
import { newGame } from '../../support/game.ts';
import type { Rest, Tenant } from '../../support/service.ts';
import { startHostBoards } from './host-boards.ts';
import { startHostShop } from './host-shop.ts';
import { persistentCaller } from './persistent-callers.ts';
import { persistentGrpc } from './persistent-grpc.ts';

/**
 * Customers of several hosts, who repeat calls without a final answer: asynchronous events over REST, events over gRPC, purchases and
 * reservations of scarce products. Leaderboards over these events close all the time.
 */
export type HostLoad = {
  readonly counts: HostCounts;
  /** Lets all customers finish, and compares their answers with the stored data. */
  stopAndCheck(rest: Rest, db: Database): Promise<void>;
};

/** The answers so far. */
export type HostCounts = {
  readonly asynchronous: number;
  readonly grpc: number;
  /** Purchases, also of reserved units. */
  readonly bought: number;
  readonly reserved: number;
  /** Refused purchases and reservations, because the stock was empty. */
  readonly refused: number;
  /** Leaderboards whose close has begun. */
  readonly closes: number;
};

export type HostLoadOptions = {
  readonly rest: Rest;
  readonly tenant: Tenant;
  readonly hosts: () => readonly string[];
  readonly seed: number;
};

type Event = { readonly programmaticCode: string; readonly accountId: string; readonly operationId: string };

const SENDERS = [0, 1, 2];

/** The events of one account, and the number that closes a campaign: new accounts, and so webhooks, appear all the time. */
const EVENTS = { each: 10, closing: 5 };

/** Creates a mission and a shop, and starts the customers. */
export async function startHostLoad({ rest, tenant, hosts, seed }: HostLoadOptions): Promise<HostLoad> {
  const codes = { LATER: 'SINGLE' } as const;
  const gameOf = (target: number) =>
    newGame({ rest, ...tenant }, { codes, missions: [{ programmaticCode: 'LATER', target }] });
  const [counting, closing] = [await gameOf(1_000_000_000), await gameOf(EVENTS.closing)];
  const stopping = new AbortController();
  const options = { rest, tenant, hosts, seed, stopping: stopping.signal };
  const shop = await startHostShop(options);
  const boards = await startHostBoards({ ...options, programmaticCode: 'LATER' });
  const grpc = persistentGrpc(hosts(), tenant.apiKey, seed * 1_000 + 20);
  const sent = new Map<string, number>();

  async function send(sender: string, emit: (event: Event) => Promise<void>): Promise<void> {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const accountId = `${sender}-${Math.floor(round / EVENTS.each)}`;
      await emit({ programmaticCode: 'LATER', accountId, operationId: `${sender}-${round}` });
      sent.set(accountId, (sent.get(accountId) ?? 0) + 1);
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
      return { asynchronous: sum('later'), grpc: sum('grpc'), ...shop.counts, ...boards.counts };
    },
    async stopAndCheck(reader, db) {
      stopping.abort();
      await everybody;
      grpc.close();
      // The counts come from the database, because thousands of accounts exist.
      const progress = () => progressOf(db, tenant.clientId, counting.missionIds[0]!);
      const total = async () => (await progress()).values().reduce((all, count) => all + count, 0);
      await expect.poll(total, { timeout: 60_000 }).toBe(sum(''));
      expect(await progress()).toEqual(sent);
      const closed = [...sent].filter(([, count]) => count >= EVENTS.closing).map(([accountId]) => accountId);
      expect(await closersOf(db, tenant.clientId, closing.campaignId)).toEqual(new Set(closed));
      await shop.stopAndCheck(reader, db);
      await boards.stopAndCheck(db);
    },
  };
}

async function progressOf(db: Database, clientId: string, missionId: string): Promise<Map<string, number>> {
  const rows = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ account: string; progress: number }>(
      `select a.external_id as account, s.progress::float8 as progress
         from assignment s join account a on a.id = s.account_id where s.mission_id = $1`,
      [missionId],
    ),
  );
  return new Map(rows.map(({ account, progress }) => [account, progress]));
}

/** The accounts that closed the campaign and received its points once. */
async function closersOf(db: Database, clientId: string, campaignId: string): Promise<Set<string>> {
  const rows = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ account: string }>(
      `select a.external_id as account from campaign_completion c join account a on a.id = c.account_id
        where c.campaign_id = $1
          and (select sum(amount) from point_entry e where e.account_id = a.id) = 10`,
      [campaignId],
    ),
  );
  return new Set(rows.map(({ account }) => account));
}
