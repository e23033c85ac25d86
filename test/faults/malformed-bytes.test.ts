import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { unforeseen } from '../support/log-guard.ts';
import { LIMITS, randomNumbers, rounds, seed } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { speeches } from './support/malformed-speeches.ts';
import { memoryOf } from './support/memory-of.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let tenant: Tenant;
let service: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  // A memory limit so small that a leak of a few thousand requests would exceed it.
  service = await startServiceProcess(database.url, { env: { NODE_OPTIONS: '--max-old-space-size=160' } });
  await newGame({ rest: restAs(service.baseUrl, tenant), ...tenant }, { missions: [{ target: 1_000_000 }] });
});
afterAll(async () => {
  await service.end('SIGKILL');
  await database.drop();
});

/** Milliseconds for the service's answer; a caller with a broken protocol may time out. */
const TIMEOUT_MS = 60;

/** Sends all bytes on a new connection, and returns the answer until either side ends it. */
function answerTo(bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1');
    const received: Buffer[] = [];
    const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS);
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(received));
    });
    socket.write(bytes);
  });
}

test.runIf(process.platform === 'linux')(
  'bytes that make no sense, in every protocol, crash nothing, leave nothing behind and disturb nobody',
  LIMITS,
  async () => {
    const random = randomNumbers(seed);
    const all = speeches(tenant.apiKey);
    const rest = restAs(service.baseUrl, tenant);
    const event = { programmaticCode: 'LOGIN', accountId: 'ann', idType: 'EXTERNAL' };
    const memory: number[] = [];
    for (const _ of rounds(3)) {
      const left = all.flatMap((speech) => Array.from({ length: speech.varies ? 25 : 1 }, () => speech));
      const speak = async () => {
        for (let speech = left.pop(); speech !== undefined; speech = left.pop()) {
          const answer = (await answerTo(speech.bytes(random))).toString('latin1');
          expect(answer, speech.name).not.toMatch(/HTTP\/1\.[01] 5(?!01|05)\d\d/);
        }
      };
      await Promise.all(Array.from({ length: 24 }, speak));
      expect(service.process.exitCode).toBeNull();
      const begun = performance.now();
      expect((await rest('POST', '/gamification/triggers', event)).status).toBe(200);
      expect(performance.now() - begun).toBeLessThan(2_000);
      memory.push(await memoryOf(service.process));
    }
    expect(unforeseen(service.log)).toEqual([]);
    await expectExact(database.db);
    // The process keeps the memory of bursts, so the value needs some time to become stable.
    expect(memory.at(-1)! / memory[Math.floor(memory.length / 2)]!).toBeLessThan(1.25);
  },
);
