import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Counter, Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '../../src/clients/credentials/token.ts';
import { createMetricsSum } from '../../src/commands/serving/metrics-sum.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Tenant } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

/** Starts of processes take long on a busy machine. */
const TIMEOUT = { timeout: 90_000 };

/** Calls per second, and additional calls within ten seconds, for one credential. */
const [PER_SECOND, BURST] = [50, 400];

/** Calls per minute, for one address. */
const UNKNOWN_ALLOWED = 20;

/** Calls within ten minutes, for one address; the service's own limit. */
const SIGN_INS_ALLOWED = 30;

let database: TestDatabase;
let tenant: Tenant;
let service: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  service = await startServiceProcess(database.url, {
    env: {
      LAUREL_PROCESSES: '2',
      LAUREL_RATE_LIMIT: String(PER_SECOND),
      LAUREL_RATE_LIMIT_BURST: String(BURST),
      LAUREL_UNKNOWN_CREDENTIALS: String(UNKNOWN_ALLOWED),
    },
  });
  await allServe(2);
}, TIMEOUT.timeout);
afterAll(async () => {
  await service.end('SIGTERM');
  await database.drop();
}, TIMEOUT.timeout);

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

/** One call, on a new connection unless `agent` keeps one; the processes accept new connections in turn. */
function call(
  path: string,
  { agent = new Agent(), key, body }: { agent?: Agent; key?: string; body?: object } = {},
): Promise<Answer> {
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${service.baseUrl}${path}`, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      text(response).then(
        (read) => resolve({ status: response.statusCode!, headers: response.headers, body: read }),
        reject,
      );
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

const REPLACED = 'a process ended and is replaced';

const countLines = (words: string) => service.log.filter((line) => line.includes(words)).length;

/** Resolves after `count` lines of the log contain the words. */
async function untilLogged(words: string, count: number): Promise<void> {
  while (countLines(words) < count) await once(service.process.stdout!, 'data');
}

/** Resolves after `count` processes, with dead ones, have reported that they are ready. */
const allServe = (count: number) => untilLogged('"laurel serves"', count);

const workers = async (): Promise<number[]> => {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(service.process.pid)]);
  return stdout.trim().split('\n').map(Number);
};

/** Kills one process, and resolves after the first process has noticed it. */
async function killOne(): Promise<void> {
  const before = countLines(REPLACED);
  const [first] = await workers();
  process.kill(first!, 'SIGKILL');
  await untilLogged(REPLACED, before + 1);
}

/** The samples of one scrape, and those of counters and histograms, which must never decrease. */
async function scrape() {
  const { status, body } = await call('/metrics');
  expect(status, body).toBe(200);
  const rising = new Set<string>();
  const samples = new Map<string, number>();
  for (const line of body.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (name && type !== 'gauge') rising.add(name);
    const [, sample, value] = /^([^#\s].*) (\S+)$/.exec(line) ?? [];
    if (sample) samples.set(sample, Number(value));
  }
  const base = (sample: string) => sample.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, '');
  const isRising = (sample: string) => rising.has(base(sample)) || rising.has(sample.replace(/\{.*/, ''));
  return { samples, rising: new Map([...samples].filter(([sample]) => isRising(sample))) };
}

const HEALTH = 'http_requests_total{protocol="http",route="/healthz",status="200"}';

test(
  'twelve scrapes of two processes never fall and miss no call, also when one is killed between them',
  TIMEOUT,
  async () => {
    let last = await scrape();
    let called = 0;
    const fallen: string[] = [];
    for (let round = 1; round < 12; round += 1) {
      for (let i = 0; i < 5; i += 1) {
        expect((await call('/healthz')).status).toBe(200);
        called += 1;
      }
      const next = await scrape();
      for (const [sample, value] of last.rising) {
        const now = next.samples.get(sample);
        if (now === undefined || now < value) fallen.push(`${sample} ${value} -> ${now}`);
      }
      last = next;
      if (round === 6) {
        await expect.poll(async () => (await scrape()).samples.get(HEALTH)).toBe(called);
        await killOne();
      }
    }
    expect(fallen).toEqual([]);
    expect(last.rising.size).toBeGreaterThan(10);
    await expect.poll(async () => (await scrape()).samples.get(HEALTH)).toBe(called);
    await allServe(3);
    await expect.poll(async () => (await scrape()).samples.get('laurel_processes')).toBe(2);
    expect((await scrape()).samples.get('laurel_process_deaths_total')).toBe(1);
  },
);

test('a counter of fractions does not fall by a last digit when one of three processes dies', async () => {
  const sum = createMetricsSum();
  const [one, two, three] = await Promise.all([0.1, 0.2, 0.3].map(counting));
  const before = await sum.text([one!, two!, three!], []);
  sum.keep(one!);
  expect(0.2 + 0.3 + 0.1).toBeLessThan(0.1 + 0.2 + 0.3);
  expect(await sum.text([two!, three!], [])).toBe(before);
});

async function counting(seconds: number) {
  const registry = new Registry();
  new Counter({ name: 'seconds_total', help: 'Seconds.', registers: [registry] }).inc(seconds);
  return registry.getMetricsAsJSON();
}

test('a credential has its requests a second once, however many processes answer it', TIMEOUT, async () => {
  const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const begun = performance.now();
  const answers = await Promise.all(
    agents.map(async (agent) => {
      const statuses: number[] = [];
      for (let i = 0; i < 150; i += 1) {
        statuses.push((await call('/accounts/paginated?page=1&limit=1', { agent, key: tenant.apiKey })).status);
      }
      return statuses;
    }),
  );
  const seconds = Math.ceil((performance.now() - begun) / 1_000);
  for (const agent of agents) agent.destroy();
  const statuses = answers.flat();
  const passed = statuses.filter((status) => status === 200).length;
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  // Each of the first requests begins a new second, and ten of them a new burst.
  expect(passed).toBeLessThanOrEqual(PER_SECOND * (seconds + 1) + BURST * Math.ceil(seconds / 10));
  expect(passed).toBeGreaterThanOrEqual(BURST);
});

/** A caller that continues on one connection until it is stopped or the connection is lost. */
function keepCalling(key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let socket: Socket | undefined;
  agent.on('free', (freed: Socket) => (socket = freed));
  const statuses: number[] = [];
  const over = new AbortController();
  async function goOn(): Promise<string | undefined> {
    try {
      while (!over.signal.aborted) {
        if (socket?.destroyed) return 'closed between two calls';
        statuses.push((await call('/accounts/paginated?page=1&limit=1', { agent, key })).status);
        // A rate well below the limit of a credential.
        await sleep(25);
      }
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    } finally {
      agent.destroy();
    }
  }
  const ended = goOn();
  return {
    statuses,
    /** The error of the lost connection, or undefined. */
    stop() {
      over.abort();
      return ended;
    },
  };
}

test(
  'a process that is killed takes its own connections with it and no other call, and is replaced',
  TIMEOUT,
  async () => {
    const served = countLines('"laurel serves"');
    const tenants = await Promise.all(Array.from({ length: 8 }, () => newTenant(database.db)));
    const callers: ReturnType<typeof keepCalling>[] = [];
    // Connections that arrive together go to whichever process is free; one after the other they go to each in turn.
    for (const { apiKey } of tenants) {
      const caller = keepCalling(apiKey);
      callers.push(caller);
      await expect.poll(() => caller.statuses.length, { timeout: 20_000 }).toBeGreaterThan(0);
    }
    const called = () => Math.min(...callers.map(({ statuses }) => statuses.length));
    await expect.poll(called, { timeout: 20_000 }).toBeGreaterThan(5);
    await killOne();
    // One remaining process is enough.
    for (let i = 0; i < 5; i += 1) expect((await call('/readyz')).status).toBe(200);
    await allServe(served + 1);
    await expect.poll(async () => (await scrape()).samples.get('laurel_processes')).toBe(2);
    const outcomes = await Promise.all(callers.map(({ stop }) => stop()));
    expect(callers.flatMap(({ statuses }) => statuses).filter((status) => status !== 200)).toEqual([]);
    expect(outcomes.filter((loss) => loss === undefined).length).toBeGreaterThanOrEqual(2);
    const losses = outcomes.filter((loss) => loss !== undefined);
    expect(losses.length).toBeGreaterThanOrEqual(2);
    expect(losses.filter((loss) => !['ECONNRESET', 'closed between two calls'].includes(loss))).toEqual([]);
  },
);

test(
  'calls are answered while the process that counts for all stands still, and a scrape says that it cannot',
  TIMEOUT,
  async () => {
    const { apiKey } = await newTenant(database.db);
    const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
    for (const agent of agents) await call('/healthz', { agent });
    service.process.kill('SIGSTOP');
    try {
      const [answer, metrics] = await Promise.all([
        call('/accounts/paginated?page=1&limit=1', { agent: agents[0], key: apiKey }),
        call('/metrics', { agent: agents[1] }),
      ]);
      expect(answer.status).toBe(200);
      expect(metrics.status).toBe(503);
    } finally {
      service.process.kill('SIGCONT');
    }
    expect((await scrape()).samples.get('laurel_processes')).toBe(2);
    for (const agent of agents) agent.destroy();
  },
);

test('sign-ins that fail are counted by address over all processes', TIMEOUT, async () => {
  const statuses: number[] = [];
  for (let i = 0; i < SIGN_INS_ALLOWED + 4; i += 1) {
    const body = { email: `nobody-${i}@example.com`, password: 'not the password' };
    statuses.push((await call('/admin/session/sign-in', { body })).status);
  }
  const allowed = Array<number>(SIGN_INS_ALLOWED).fill(401);
  expect(statuses).toEqual([...allowed, 429, 429, 429, 429]);
});

test(
  'unknown credentials are counted by address over all processes, and what one let in all let in',
  TIMEOUT,
  async () => {
    const [known, stranger] = await Promise.all([newTenant(database.db), newTenant(database.db)]);
    const look = async (key: string) => (await call('/accounts/paginated?page=1&limit=1', { key })).status;
    expect(await look(known.apiKey)).toBe(200);
    const statuses: number[] = [];
    for (let i = 0; i < UNKNOWN_ALLOWED + 4; i += 1) statuses.push(await look(newToken('API_KEY', tenant.clientId)));
    expect(statuses).toEqual([...Array<number>(UNKNOWN_ALLOWED).fill(401), 429, 429, 429, 429]);
    expect([await look(known.apiKey), await look(known.apiKey)]).toEqual([200, 200]);
    expect([await look(stranger.apiKey), await look(stranger.apiKey)]).toEqual([429, 429]);
  },
);
