import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../operations/webhooks/receiver.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { unforeseen } from '../support/log-guard.ts';
import { LIMITS, seed, soakSeconds } from './bounds.ts';
import { expectCounted, expectReplayed, newCountedGame } from './support/counted-game.ts';
import { startEventLoad } from './support/event-load.ts';
import { memoryOf } from './support/memory-of.ts';
import { startMixedLoad } from './support/mixed-load.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let tenant: Tenant;
let service: ServiceProcess;
let receiver: Receiver;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  service = await startServiceProcess(database.url);
  receiver = await startReceiver();
});
afterAll(async () => {
  await service.end('SIGKILL');
  await receiver.close();
  await database.drop();
});

/** Seconds; the short form only shows that all parts work together. */
const DURATION = soakSeconds || 4;

/** Seconds after which the memory of the process must not grow, and seconds between two measurements. */
const WARM = 60;
const LOOK = 5;

/** Seconds to read 10,000 accounts. */
const TIMEOUT = { timeout: LIMITS.timeout + soakSeconds * 1_000 };

test(
  'under mixed load for minutes everything adds up, and the memory stays what it was after the first',
  TIMEOUT,
  async () => {
    const rest = restAs(service.baseUrl, tenant);
    await rest('PUT', '/webhooks/rewards', { endpoint: receiver.url });
    const game = await newCountedGame(rest, tenant);
    const events = startEventLoad({
      baseUrl: () => service.baseUrl,
      apiKey: tenant.apiKey,
      seed,
      workers: 4,
      accounts: 50,
    });
    const mixed = await startMixedLoad(rest, tenant);
    const memory: number[] = [];
    for (let second = 0; second < DURATION; second += LOOK) {
      await sleep(Math.min(LOOK, DURATION) * 1_000);
      if (process.platform === 'linux') memory.push(await memoryOf(service.process));
      if (second % 60 === 0 && soakSeconds > 0)
        report(second + LOOK, memory.at(-1), events.answered.length, mixed.done);
    }
    await mixed.stop();
    const answered = await events.stop();

    expect(service.process.exitCode).toBeNull();
    const closings = mixed.closings + closingsOf(answered);
    await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(closings);
    for (const [account, count] of mixed.accepted) {
      const progress = async () => {
        const missions = await rest('GET', `/v1/gamification/missions/progress/${account}?idType=EXTERNAL`);
        return missions.body.find((mission: { missionId: string }) => mission.missionId === mixed.laterMissionId)
          ?.progress;
      };
      await expect.poll(progress, { timeout: 10_000 }).toBe(count);
    }
    await expectCounted({ rest, db: database.db }, game, answered);
    await expectReplayed(rest, answered);
    expect(unforeseen(service.log)).toEqual([]);

    if (DURATION < 2 * WARM || memory.length === 0) return;
    const warm = median(memory.slice(WARM / LOOK - 2, WARM / LOOK + 3));
    const last = median(memory.slice(-5));
    console.log(`Memory after the first minute ${warm.toFixed(0)} MiB, at the end ${last.toFixed(0)} MiB.`);
    expect(last / warm).toBeLessThan(1.1);
  },
);

/** The counted game closes campaigns by the number of an account's events. */
function closingsOf(answered: ReadonlyArray<{ accountId: string }>): number {
  let closings = 0;
  for (const events of Map.groupBy(answered, ({ accountId }) => accountId).values()) {
    closings += [1, 3, 10, 30].filter((target) => target <= events.length).length;
  }
  return closings;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function report(
  second: number,
  mebibytes: number | undefined,
  events: number,
  done: ReadonlyMap<string, number>,
): void {
  const counts = [['counted events', events], ...done].map(([what, count]) => `${count} ${what}`);
  console.log(`${second} s: ${mebibytes?.toFixed(0)} MiB, ${counts.join(', ')}`);
}
