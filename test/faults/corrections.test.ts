// Events, reversals, merges, undos, backfills, claims, purchases, refunds, erasures, restocks and pauses on two hosts at the same time, against
// naive accounts and `laurel verify`. `npm run test:soak -- corrections 10` plays worlds for ten minutes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { unforeseen } from '../support/log-guard.ts';
import { LIMITS, rounds, seed, shortOrLong } from './bounds.ts';
import { playCorrections, total } from './support/corrected-world.ts';
import type { Seen } from './support/household.ts';
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

test(
  'whatever two hosts send, take back, merge, part, backfill, sell, claim and erase at the same time, the books are right',
  { timeout: 2 * LIMITS.timeout },
  async () => {
    const seen: Seen = {};
    for (const round of rounds(1)) {
      const addresses = hosts.map(({ baseUrl }) => baseUrl);
      await playCorrections({ db: database.db, hosts: addresses, round, steps: STEPS, households: HOUSEHOLDS, seen });
      if (round % 10 === 1) console.log(`${total(seen)} steps in ${round} worlds`);
    }
    console.log(`${total(seen)} steps from the seed ${seed}: ${JSON.stringify(seen)}`);
    for (const what of [
      'reverse',
      'merge',
      'merge by MAX',
      'undo',
      'backfill',
      'buy',
      'claim',
      'erase',
      'restock',
      'pause',
    ])
      expect(seen[what], what).toBeGreaterThan(0);
    expect(hosts.flatMap(({ log }) => unforeseen(log))).toEqual([]);
  },
);
