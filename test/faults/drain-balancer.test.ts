import { mkdtemp, rm } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from '../../gen/grpc/health/v1/health_pb.ts';
import { canCertify, certify, type TestCertificate } from '../support/certificates.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { newTenant, restAs } from '../support/service.ts';
import { type Probe, startBalancer } from './support/balancer.ts';
import { LIMITS, rounds, shortOrLong, soakSeconds } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { startGrpcCallers, startRestCallers } from './support/steady-callers.ts';

/** Hosts that are restarted in each round; a start takes seconds of processor time. */
const HOSTS_ENDED = shortOrLong(1, 2);

/** A time longer than two of the balancer's probes. */
const DRAIN = { LAUREL_DRAIN_DELAY_MS: '2500' };

let database: TestDatabase;
let folder: string;
/** A host outside the balancer, in plain text: it creates games and reads counts. */
let apart: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'laurel-drain-'));
  apart = await startServiceProcess(database.url);
});
afterAll(async () => {
  await apart.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

/** The probe, as Kubernetes sends it over gRPC. */
const byHealth: Probe = async (port) => {
  const health = createClient(Health, createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` }));
  return (await health.check({}, { timeoutMs: 1_000 })).status === ServingStatus.SERVING;
};

const overTls =
  (ca: Buffer): Probe =>
  (port) =>
    new Promise((resolve, reject) => {
      https
        .get({ host: '127.0.0.1', port, path: '/readyz', ca, agent: false, timeout: 1_000 }, (answer) => {
          answer.resume();
          resolve(answer.statusCode === 200);
        })
        .once('error', reject);
    });

type World = {
  readonly name: string;
  readonly env: Record<string, string>;
  readonly probe?: Probe;
  readonly tls?: true;
  /** Runs only in the long form. */
  readonly long?: true;
};

const WORLDS: readonly World[] = [
  { name: 'one process, whose readiness is asked over gRPC', env: {}, probe: byHealth },
  { name: 'two processes on one port', env: { LAUREL_PROCESSES: '2' }, long: true },
  { name: 'TLS on the port', env: {}, tls: true },
];

test.each(WORLDS.filter(({ tls, long }) => (canCertify || !tls) && (soakSeconds > 0 || !long)))(
  'SIGTERM behind a balancer that sends until readiness fails, over HTTP/1.1 and with grpc-js: no failed call ($name)',
  { timeout: 3 * LIMITS.timeout },
  async ({ env: own, probe, tls }) => {
    const certificate: TestCertificate | undefined = tls && (await certify(folder));
    const secure = certificate && {
      LAUREL_TLS_CERT_FILE: certificate.certFile,
      LAUREL_TLS_KEY_FILE: certificate.keyFile,
    };
    const env = { ...DRAIN, ...own, ...secure };
    const hosts = await Promise.all([1, 2].map(() => startServiceProcess(database.url, { env })));
    const ports = hosts.map(({ port }) => port);
    const balancer = await startBalancer(ports, certificate ? overTls(certificate.ca) : probe);
    const tenant = await newTenant(database.db);
    const rest = restAs(apart.baseUrl, tenant);
    await newGame(
      { rest, ...tenant },
      { codes: { LOGIN: 'SINGLE' }, missions: [{ programmaticCode: 'LOGIN', target: 1_000_000_000 }] },
    );
    const baseUrl = certificate ? balancer.baseUrl.replace('http://127.0.0.1', 'https://localhost') : balancer.baseUrl;
    const callers = { baseUrl, apiKey: tenant.apiKey, callers: 4, ca: certificate?.ca };
    const overRest = startRestCallers({ ...callers, accountId: 'rest' });
    const overGrpc = startGrpcCallers({ ...callers, accountId: 'grpc' });
    try {
      for (const _ of rounds(1)) {
        for (const [index, host] of hosts.slice(0, HOSTS_ENDED).entries()) {
          const before = overRest.answered + overGrpc.answered;
          expect(await host.end('SIGTERM')).toBe(0);
          hosts[index] = await startServiceProcess(database.url, { env, port: host.port });
          await expect.poll(balancer.ready, { timeout: 10_000 }).toContain(host.port);
          expect(overRest.answered + overGrpc.answered).toBeGreaterThan(before);
        }
      }
    } finally {
      await Promise.all([overRest.stop(), overGrpc.stop()]);
    }
    const failures = { rest: [...new Set(overRest.failures)], grpc: [...new Set(overGrpc.failures)] };
    expect(failures).toEqual({ rest: [], grpc: [] });
    // A request that a library repeated automatically was not started before.
    for (const [accountId, { answered }] of Object.entries({ rest: overRest, grpc: overGrpc })) {
      const { body } = await rest('GET', `/v1/gamification/missions/progress/${accountId}?idType=EXTERNAL`);
      expect(body).toMatchObject([{ progress: answered }]);
    }
    await balancer.close();
    await Promise.all(hosts.map((host) => host.end('SIGTERM')));
    await expectExact(database.db);
  },
);
