// Three hosts on one PostgreSQL, one of them through PgBouncer (the picture: `three-hosts.ts`), with every possible fault (the list:
// `host-faults.ts`), while customers continue. They send single events, batches, gRPC calls and asynchronous events, buy and reserve scarce
// products, and receive webhooks. At the end every count is compared exactly. `npm run test:soak -- hosts` runs for ten minutes;
// LAUREL_SEED repeats the faults of an earlier run.
import { afterAll, beforeAll, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, randomNumbers, rounds, seed, soakSeconds } from './bounds.ts';
import { expectCounted, expectReplayed, newCountedGame } from './support/counted-game.ts';
import { startEventLoad } from './support/event-load.ts';
import { type Fault, faultsOf, happen, mayMeet } from './support/host-faults.ts';
import { startHostLoad } from './support/host-load.ts';
import { watchRecoveries } from './support/host-recovery.ts';
import { expectWebhooksArrived, subscribe, countWebhooks } from './support/host-webhooks.ts';
import { rollingCallers } from './support/rolling-callers.ts';
import { startThreeHosts, type ThreeHosts } from './support/three-hosts.ts';

let world: ThreeHosts;
let db: Database;
let tenant: Tenant;
let receiver: Receiver;

beforeAll(async () => {
  world = await startThreeHosts();
  db = await openDatabase({ url: world.proxy.url, entities, poolMax: 4 });
  tenant = await newTenant(db);
  receiver = await startReceiver();
});
afterAll(async () => {
  await world.remove();
  await receiver.close();
  await db.close();
});

/**
 * All faults, again and again, each time in another order. In the long form, after the first round, a fault of the database sometimes
 * occurs during another fault.
 */
function* drawn(faults: readonly Fault[], random: () => number): Generator<readonly Fault[]> {
  const oneOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  for (let time = 0; ; time += 1) {
    const left = [...faults];
    while (left.length > 0) {
      const fault = left.splice(Math.floor(random() * left.length), 1)[0]!;
      const others = faults.filter((other) => mayMeet(fault, other));
      yield time > 0 && others.length > 0 && random() < 0.7 ? [fault, oneOf(others)] : [fault];
    }
  }
}

/** The faults of this form of the test. Prints the faults that this machine cannot have, and omits them. */
function possible(faults: readonly Fault[]): Fault[] {
  const ofForm = faults.filter(({ short }) => soakSeconds > 0 || short !== undefined);
  return ofForm.filter((fault) => {
    const reason = fault.missing?.(world);
    if (reason !== undefined) console.log(`Skipped: "${fault.name}", because ${reason}.`);
    return reason === undefined;
  });
}

/** The recovery time of each host. */
function inSeconds(hosts: readonly number[]): string {
  return hosts.map((seconds, host) => `host ${host} after ${seconds.toFixed(1)} s`).join(', ');
}

test(
  'three hosts on one database that are killed, frozen, restarted and cut off from it keep every count exact',
  { timeout: 4 * LIMITS.timeout },
  async () => {
    const addresses = () => world.hosts.map(({ baseUrl }) => baseUrl);
    // The load uses other random numbers, because its size depends on the machine.
    const [random, choice] = [randomNumbers(seed), randomNumbers(seed + 1)];
    const anyHost = () => addresses()[Math.floor(choice() * 3)]!;
    const rest = restAs(addresses()[0]!, tenant);
    await subscribe(rest, receiver);
    const game = await newCountedGame(rest, tenant);
    const events = startEventLoad({ baseUrl: anyHost, apiKey: tenant.apiKey, seed, workers: 6, accounts: 40 });
    const load = await startHostLoad({ rest, tenant, hosts: addresses, seed });
    const recoveries = watchRecoveries(addresses, tenant.apiKey);
    const rolling = rollingCallers(world.balancer, world.hosts.length, tenant);
    const figures = () => ({
      events: events.answered.length,
      batches: events.batches,
      repeated: events.repeated,
      ...load.counts,
      webhooks: countWebhooks(receiver),
      rolling: rolling.counts,
    });

    const faults = possible(faultsOf(rolling.whileCalled));
    const order = drawn(faults, random);
    const struck = new Map<string, number>();
    for (const round of rounds(faults.length)) {
      const both = order.next().value as readonly Fault[];
      for (const { name } of both) struck.set(name, (struck.get(name) ?? 0) + 1);
      const names = both.map(({ name }) => name).join(', and meanwhile ');
      await events.progress(30);
      await happen(both, world, random, async () => {
        const seconds = await recoveries.after(names);
        if (soakSeconds > 0) console.log(`${round}. ${names}: ${inSeconds(seconds)}`);
      });
    }
    await events.progress(30);
    const answered = await events.stop();
    await load.stopAndCheck(rest, db);
    console.log({ ...figures(), faults: Object.fromEntries(struck) });
    for (const [name, seconds] of recoveries.worst) console.log(`after ${name}: ${inSeconds(seconds)} at most`);

    await expectCounted({ rest, db }, game, answered);
    await expectReplayed(rest, answered);
    await recoveries.check(rest, game.counterId);
    await rolling.check(rest, game.counterId);
    await expectWebhooksArrived(db, tenant.clientId, receiver);
  },
);
