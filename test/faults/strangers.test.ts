import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unforeseen } from '../support/log-guard.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { ok } from '../support/administration.ts';
import { newGame } from '../support/game.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, soakSeconds } from './bounds.ts';
import { memoryOf, processorSecondsOf } from './support/memory-of.ts';
import { type PaidCall, startPayingCallers } from './support/paying-callers.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { attacksWith } from './support/stranger-attacks.ts';

let database: TestDatabase;
let tenant: Tenant;
let service: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  service = await startServiceProcess(database.url);
  const rest = restAs(service.baseUrl, tenant);
  await newGame({ rest, ...tenant }, { missions: [{ target: 1_000_000 }] });
  // For the streams of an account.
  await ok(rest('POST', '/accounts', { externalId: 'ada' }));
  await ok(rest('PUT', '/v1/change-feed', { keepDays: 1 }, tenant.adminToken));
});
afterAll(async () => {
  await service.end('SIGKILL');
  await database.drop();
});

/** The milliseconds of each attack, and the calls of paying callers per second. */
const ATTACK = soakSeconds > 0 ? 8_000 : 1_000;
const PER_SECOND = 50;

/** The milliseconds for which callers continue afterwards. */
const AFTERWARDS = soakSeconds > 0 ? 2_000 : 500;

/** The maximum processor seconds of the service, for callers and strangers together. */
const PROCESSOR_MAX = (5 * (ATTACK + AFTERWARDS)) / 1_000;

/** The milliseconds within which a call is answered without an attack, on a busy machine. */
const WELL = 250;

type Figures = {
  readonly p99Ms: number;
  readonly memoryMib: number;
  readonly backMs: number;
  readonly unanswered: number;
  readonly opened: number;
  /** The processor seconds of the service, which other programs on the machine do not change. */
  readonly processorS: number;
};

/** Sends an attack from a separate process, while paying callers continue. */
async function underAttack(name: string): Promise<Figures> {
  const callers = startPayingCallers({ baseUrl: service.baseUrl, apiKey: tenant.apiKey, perSecond: PER_SECOND });
  await sleep(500);
  const idle = await memoryOf(service.process);
  let most = idle;
  const looking = setInterval(() => void memoryOf(service.process).then((now) => (most = Math.max(most, now))), 100);
  const script = join(import.meta.dirname, 'support/stranger-process.ts');
  const begun = performance.now();
  const processor = await processorSecondsOf(service.process);
  const stranger = spawn(process.execPath, [script, name, String(service.port), String(ATTACK), tenant.adminToken], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(stranger.stdout);
  const hung = setTimeout(() => stranger.kill('SIGKILL'), ATTACK + 20_000);
  await once(stranger, 'exit');
  clearTimeout(hung);
  const ended = performance.now();
  await sleep(AFTERWARDS);
  await callers.stop();
  const processorS = (await processorSecondsOf(service.process)) - processor;
  clearInterval(looking);
  const during = callers.calls.filter(({ due }) => due >= begun && due <= ended);
  const late = callers.calls.filter(({ due, ms }) => due + ms > ended && ms > WELL);
  return {
    p99Ms: Math.round(percentile99(during)),
    memoryMib: Math.round(most - idle),
    backMs: Math.round(Math.max(0, ...late.map(({ due, ms }) => due + ms - ended))),
    unanswered: callers.calls.filter(({ status }) => status !== 200).length,
    processorS: Math.round(processorS * 10) / 10,
    opened: (JSON.parse((await output) || '{"opened":0}') as { opened: number }).opened,
  };
}

function percentile99(calls: readonly PaidCall[]): number {
  const sorted = calls.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

/** The attacks that blocked the service longest; the long form has all of them. */
const SHORT = ['watches whose connection hangs up', 'answers that nobody reads'];

const names = Object.keys(attacksWith('')).filter((name) => soakSeconds > 0 || SHORT.includes(name));

test.each(names)('%s: callers who pay are answered', { timeout: LIMITS.timeout + 120_000 }, async (name) => {
  const figures = await underAttack(name);
  if (soakSeconds > 0) console.log(name, JSON.stringify(figures));
  expect(unforeseen(service.log).slice(0, 3)).toEqual([]);
  expect(figures.unanswered).toBe(0);
  expect(figures.memoryMib).toBeLessThan(300);
  expect(figures.processorS).toBeLessThan(PROCESSOR_MAX);
  // The other tests on the machine delay callers, too.
  if (soakSeconds === 0) return;
  expect(figures.p99Ms).toBeLessThan(1_000);
  expect(figures.backMs).toBeLessThan(2_000);
});
