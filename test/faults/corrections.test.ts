// Events, reversals, merges, undos, backfills, claims, purchases, refunds, erasures, restocks and pauses on two hosts at the same time, against
// naive accounts and `laurel verify`. `npm run test:soak -- corrections 10` plays worlds for ten minutes.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { unforeseen } from '../support/log-guard.ts';
import { newTenant, type Rest, restAs } from '../support/service.ts';
import { settled } from '../support/settled.ts';
import { LIMITS, randomNumbers, rounds, seed, shortOrLong } from './bounds.ts';
import { type CorrectedGame, newCorrectedGame } from './support/corrected-game.ts';
import { Household, type Seen } from './support/household.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let hosts: ServiceProcess[];

beforeAll(async () => {
  database = await testDatabase();
  hosts = await Promise.all([startServiceProcess(database.url), startServiceProcess(database.url)]);
});
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.end('SIGKILL')));
  await database.drop();
});

/** The calls of one world, and the households that send them. */
const STEPS = shortOrLong(500, 1_500);
const HOUSEHOLDS = 6;

/** The steps of a household between two comparisons with its book. */
const LOOK = 10;

test(
  'whatever two hosts send, take back, merge, part, backfill, sell, claim and erase at the same time, the books are right',
  { timeout: 2 * LIMITS.timeout },
  async () => {
    const seen: Seen = {};
    for (const round of rounds(1)) {
      await playWorld(round, seen);
      if (round % 10 === 1) console.log(`${total(seen)} steps in ${round} worlds`);
    }
    console.log(`${total(seen)} steps from the seed ${seed}: ${JSON.stringify(seen)}`);
    for (const what of ['reverse', 'merge', 'undo', 'backfill', 'buy', 'claim', 'erase', 'restock', 'pause'])
      expect(seen[what], what).toBeGreaterThan(0);
    expect(hosts.flatMap(({ log }) => unforeseen(log))).toEqual([]);
  },
);

async function playWorld(round: number, seen: Seen): Promise<void> {
  const tenant = await newTenant(database.db);
  const query = <Row extends object>(sql: string) =>
    database.db.unitOfWork(tenant.clientId, (uow) => uow.query<Row>(sql));
  await query('update client set backfill_days_max = 30');
  const rests = hosts.map(({ baseUrl }) => restAs(baseUrl, tenant));
  const random = randomNumbers(seed * 1_000 + round);
  const game = await newCorrectedGame(rests[0]!, tenant, random);
  const households = Array.from(
    { length: HOUSEHOLDS },
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
  const until = total(seen) + STEPS;
  const live = async (household: Household) => {
    for (let step = 1; total(seen) < until; step += 1) {
      await household.step();
      if (step % LOOK === 0) await household.check(false);
    }
  };
  const aside = Promise.all([
    supply(rests[0]!, game, { seen, over: over.signal }),
    pause(rests[1]!, game, { seen, over: over.signal }),
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
  expect(await differencesOf(database.db, tenant.clientId)).toEqual([]);
}

/** The number of calls; refused ones are counted twice in `seen`. */
function total(seen: Seen): number {
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
