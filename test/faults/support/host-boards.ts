import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Database } from '../../../src/persistence/database.ts';
import type { Rest, RestAnswer } from '../../support/service.ts';
import type { HostShopOptions } from './host-shop.ts';
import { callOnce, persistentCaller } from './persistent-callers.ts';

/** Leaderboards over the events of several hosts, which close with prizes one after the other. */
export type HostBoards = {
  /** The boards whose close has begun. */
  readonly counts: { readonly closes: number };
  /** Waits for the last close, and checks that each close gave each prize once. */
  stopAndCheck(db: Database): Promise<void>;
};

export type HostBoardsOptions = HostShopOptions & {
  /** The event whose number ranks the accounts. */
  readonly programmaticCode: string;
};

/** Accounts that win, so that a close of thousands has several transactions, and the prizes do not outnumber the events. */
const PRIZES_SHARE = 0.3;

/** Creates the statistic and the prize, and closes leaderboards until `stopping`. */
export async function startHostBoards(options: HostBoardsOptions): Promise<HostBoards> {
  const { rest, tenant, hosts, seed, stopping, programmaticCode } = options;
  const statisticCode = programmaticCode.toLowerCase();
  const rewardId = await newPrize(rest, { programmaticCode, code: statisticCode });
  const call = persistentCaller(hosts, tenant.adminToken, seed * 1_000 + 400);
  let closes = 0;

  /** Reads from any host until the answer is as wanted, or the test ends. */
  async function readUntil(path: string, isWanted: (body: RestAnswer['body']) => boolean): Promise<RestAnswer['body']> {
    for (let attempt = 0; !stopping.aborted; attempt += 1) {
      const among = hosts();
      const { status, body } = await callOnce('GET', among[attempt % among.length]! + path, tenant.adminToken);
      if (status === 200 && isWanted(body)) return body;
      await sleep(200);
    }
    return undefined;
  }

  async function closeOne(round: number): Promise<void> {
    const prizes = [{ topShare: PRIZES_SHARE, ties: 'FIRST', rewardIds: [rewardId] }];
    const leaderboard = { name: `Board ${round}`, statisticCode, prizes };
    const created = await call('/admin/leaderboards', { leaderboard });
    expect(created, JSON.stringify(created.body)).toMatchObject({ status: 201 });
    const { id } = created.body;
    expect(await call(`/admin/leaderboards/${id}/activate`, {})).toMatchObject({ status: 200 });
    const begun = await readUntil(`/v1/leaderboards/${id}`, ({ rows }) => rows.length > 0);
    if (begun === undefined) return;
    const closed = await call(`/admin/leaderboards/${id}/runs/${begun.run.id}/close`, {});
    expect(closed, JSON.stringify(closed.body)).toMatchObject({ status: 200 });
    closes += 1;
    await readUntil(`/v1/leaderboards/${id}/runs`, ({ rows }) => rows[0].status === 'CLOSED');
  }

  const closing = (async () => {
    for (let round = 0; !stopping.aborted; round += 1) await closeOne(round);
  })();
  // The caller of `stopAndCheck` gets the error.
  closing.catch(() => {});

  return {
    get counts() {
      return { closes };
    },
    async stopAndCheck(db) {
      await closing;
      expect(closes).toBeGreaterThan(0);
      const runs = () => closedRuns(db, tenant.clientId, rewardId);
      await expect.poll(async () => (await runs()).length, { timeout: 60_000, interval: 500 }).toBe(closes);
      for (const { entries, delivered, rewards, accounts } of await runs()) {
        const prizes = Math.ceil(entries * PRIZES_SHARE);
        expect({ delivered, rewards, accounts }).toEqual({ delivered: prizes, rewards: prizes, accounts: prizes });
      }
    },
  };
}

/** A reward that is no points, because the load counts points. */
async function newPrize(rest: Rest, source: { programmaticCode: string; code: string }): Promise<string> {
  const created = async (path: string, body: object): Promise<string> => {
    const answer = await rest('POST', path, body);
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
    return answer.body.id;
  };
  await created('/admin/statistic-definitions', {
    statisticDefinition: { ...source, aggregation: 'COUNT', period: 'ALL_TIME' },
  });
  const productId = await created('/admin/products', { name: 'Medal', stockMode: 'UNLIMITED' });
  return created('/admin/rewards', { name: 'Medal', type: 'PRODUCTS', amount: 1, productId });
}

/** The closed runs, with the prizes that they say they gave, and those that exist. */
function closedRuns(db: Database, clientId: string, rewardId: string) {
  return db.unitOfWork(clientId, (uow) =>
    uow.query<{ entries: number; delivered: number; rewards: number; accounts: number }>(
      `select r.entries::int as entries, r.prizes_delivered::int as delivered,
              count(e.id)::int as rewards, count(distinct e.account_id)::int as accounts
         from leaderboard_run r left join earned_reward e on e.leaderboard_run_id = r.id and e.reward_id = $1
        where r.status = 'CLOSED' group by r.client_id, r.id`,
      [rewardId],
    ),
  );
}
