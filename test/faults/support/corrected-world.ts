import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { differencesOf } from '../../../src/commands/verify.ts';
import type { Database } from '../../../src/persistence/database.ts';
import { newTenant, type Rest, restAs } from '../../support/service.ts';
import { settled } from '../../support/settled.ts';
import { randomNumbers, seed } from '../bounds.ts';
import { type CorrectedGame, newCorrectedGame } from './corrected-game.ts';
import { Household, type Seen } from './household.ts';

/** The steps of a household between two comparisons with its book. */
const LOOK = 10;

/** A world of corrections. */
export type CorrectedWorld = {
  readonly db: Database;
  /** The addresses of the hosts that get the calls. */
  readonly hosts: readonly string[];
  /** Its number, for its random choices. */
  readonly round: number;
  /** The calls, and the households that send them. */
  readonly steps: number;
  readonly households: number;
  /** The numbers of calls, to which those of this world are added. */
  readonly seen: Seen;
};

/**
 * Lets households of a new client send, take back, merge, part, backfill, buy, claim and erase at the same time, while products are restocked
 * and a campaign is paused and resumed. Then compares each account with its book, and the client by `laurel verify`.
 */
export async function playCorrections({ db, hosts, round, steps, seen, ...world }: CorrectedWorld): Promise<void> {
  const tenant = await newTenant(db);
  const query = <Row extends object>(sql: string) => db.unitOfWork(tenant.clientId, (uow) => uow.query<Row>(sql));
  await query('update client set backfill_days_max = 30');
  const rests = hosts.map((baseUrl) => restAs(baseUrl, tenant));
  const random = randomNumbers(seed * 1_000 + round);
  const game = await newCorrectedGame(rests[0]!, tenant, random);
  const households = Array.from(
    { length: world.households },
    (_, index) =>
      new Household({
        game,
        rests,
        name: `h${index}`,
        seen,
        random: randomNumbers(seed * 1_000_000 + round * 100 + index),
      }),
  );
  const over = new AbortController();
  const until = total(seen) + steps;
  const live = async (household: Household) => {
    for (let step = 1; total(seen) < until; step += 1) {
      await household.step();
      if (step % LOOK === 0) await household.check(false);
    }
  };
  const aside = Promise.all([
    supply(rests[0]!, game, { seen, over: over.signal }),
    pause(rests.at(-1)!, game, { seen, over: over.signal }),
  ]);
  aside.catch(() => {});
  try {
    await Promise.race([Promise.all(households.map(live)), aside]);
  } finally {
    over.abort();
  }
  await aside;

  for (const id of [game.mugId, game.puzzleId])
    await done(rests[0]!, `/admin/products/${id}/stock`, { quantity: 10_000 });
  await expect
    .poll(() => query(`select id from earned_reward where status = 'PENDING_STOCK'`), {
      timeout: 90_000,
      interval: 200,
    })
    .toEqual([]);
  for (const household of households) await household.check(true);
  expect(await differencesOf(db, tenant.clientId)).toEqual([]);
}

/** The number of calls; refused ones are counted twice in `seen`. */
export function total(seen: Seen): number {
  return Object.entries(seen).reduce((sum, [what, times]) => sum + (what.endsWith('refused') ? 0 : times), 0);
}

/** The calls beside the households run until these stop. */
type Aside = { readonly seen: Seen; readonly over: AbortSignal };

async function done(rest: Rest, path: string, body: object): Promise<void> {
  const answer = await settled(() => rest('POST', path, body));
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
}

/** Brings a unit now and then, for which rewards and buyers compete. */
async function supply(rest: Rest, { mugId, puzzleId }: CorrectedGame, { seen, over }: Aside): Promise<void> {
  for (let turn = 0; !over.aborted; turn += 1) {
    await done(rest, `/admin/products/${turn % 3 === 0 ? puzzleId : mugId}/stock`, { quantity: 1 });
    seen['restock'] = (seen['restock'] ?? 0) + 1;
    await sleep(25);
  }
}

/** Pauses and resumes a campaign, which is open in the end. */
async function pause(rest: Rest, { pausedId }: CorrectedGame, { seen, over }: Aside): Promise<void> {
  while (!over.aborted) {
    for (const verb of ['pause', 'activate']) {
      await done(rest, `/admin/campaigns/${pausedId}/${verb}`, {});
      await sleep(100);
    }
    seen['pause'] = (seen['pause'] ?? 0) + 2;
  }
}
