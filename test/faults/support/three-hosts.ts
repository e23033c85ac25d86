import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type SilencingProxy, silencingProxy } from '../../support/silencing-proxy.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';
import { type Pgbouncer, pgbouncerProgram, startPgbouncer } from './pgbouncer.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

/**
 * Three hosts of the service on one PostgreSQL, as a cautious operator has them:
 *
 *     balancer ── host 0 ─────────────────┐
 *            ├─── host 1 ─────────────────┼── proxy ── PostgreSQL
 *            └─── host 2 ── PgBouncer ────┘
 *
 * The proxy represents the network, and the address that moves with a fail-over: its faults affect all hosts, and the pooler's
 * connections as well. Without PgBouncer on this machine, host 2 is connected like the others.
 */
export type ThreeHosts = {
  readonly postgres: OwnPostgres;
  readonly proxy: SilencingProxy;
  /** Undefined if this machine has no PgBouncer. */
  readonly pgbouncer: Pgbouncer | undefined;
  readonly balancer: Balancer;
  readonly hosts: readonly ServiceProcess[];
  /** Ends a host; resolves with its exit code. */
  end(host: number, signal: NodeJS.Signals): Promise<number | null>;
  /** Starts it again at its address, with several attempts if necessary. */
  start(host: number): Promise<void>;
  remove(): Promise<void>;
};

/** The host that is connected through PgBouncer. */
const BEHIND_POOLER = 2;

/** The time in which a balancer with a probe each second notices the end of a host. */
const DRAIN = { LAUREL_DRAIN_DELAY_MS: '2000' };

/** Milliseconds for a host to start. */
const TIMEOUT_MS = 30_000;

/** Starts the hosts, the balancer and the database. */
export async function startThreeHosts(): Promise<ThreeHosts> {
  const postgres = await startOwnPostgres('hosts', { max_connections: '120', wal_keep_size: '512MB' });
  const proxy = await silencingProxy(postgres.url);
  const pgbouncer = pgbouncerProgram === undefined ? undefined : await startPgbouncer(proxy.url);
  const startHost = (host: number, port?: number) =>
    host === BEHIND_POOLER && pgbouncer !== undefined
      ? startServiceProcess(pgbouncer.url, { port, env: { ...DRAIN, LAUREL_PREPARED_STATEMENTS: 'false' } })
      : startServiceProcess(proxy.url, { port, env: DRAIN });
  const hosts = await Promise.all([0, 1, 2].map((host) => startHost(host)));
  const balancer = await startBalancer(hosts.map(({ port }) => port));
  return {
    postgres,
    proxy,
    pgbouncer,
    balancer,
    hosts,
    end: (host, signal) => hosts[host]!.end(signal),
    async start(host) {
      const { port } = hosts[host]!;
      // A host does not start while the database refuses writes; its supervisor tries again.
      for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(500)) {
        try {
          hosts[host] = await startHost(host, port);
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
        }
      }
    },
    async remove() {
      await balancer.close();
      await Promise.all(hosts.map((host) => host.end('SIGKILL')));
      await pgbouncer?.remove();
      await proxy.close();
      await postgres.remove();
    },
  };
}

/** Restarts a host as its operator does; resolves when the balancer sends calls to it again. */
export async function rollOver(world: ThreeHosts, host: number): Promise<void> {
  expect(await world.end(host, 'SIGTERM')).toBe(0);
  await world.start(host);
  await expect.poll(world.balancer.ready, { timeout: 30_000 }).toContain(world.hosts[host]!.port);
}
