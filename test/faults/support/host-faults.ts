import { setTimeout as sleep } from 'node:timers/promises';
import { soakSeconds } from '../bounds.ts';
import { rollOver, type ThreeHosts } from './three-hosts.ts';

/** A fault of a host, of the connection to the database, or of the shared database. */
export type Fault = {
  readonly name: string;
  /** The minimum and maximum milliseconds from its beginning to its end. */
  readonly lasts: { readonly from: number; readonly to: number };
  /** The milliseconds in the short form of the test; faults without it are left out there, because other tests cover them. */
  readonly short?: number;
  /**
   * Begins the fault. `draw` returns a whole number below its argument, from the seed alone.
   * @returns the function that ends the fault
   */
  strike(world: ThreeHosts, draw: (below: number) => number): Promise<() => Promise<void> | void>;
  /** Whether the hosts must recover before the fault ends. */
  readonly outlived?: boolean;
  /** The reason for which the fault is impossible on this machine; undefined if it is possible. */
  missing?(world: ThreeHosts): string | undefined;
};

const AT_ONCE = { from: 0, to: 0 };

const nothingToUndo = (): void => {};

/** A signal ends a host, which is then started again. */
const ends = (signal: 'SIGKILL' | 'SIGTERM', description: Pick<Fault, 'name' | 'lasts' | 'short'>): Fault => ({
  ...description,
  async strike(world, draw) {
    const host = draw(3);
    await world.end(host, signal);
    return () => world.start(host);
  },
});

const killed = ends('SIGKILL', { name: 'a host is killed', lasts: { from: 0, to: 3_000 }, short: 0 });
const restarted = ends('SIGTERM', { name: 'a host is restarted', lasts: AT_ONCE });

/** The maximum is sometimes longer than PostgreSQL leaves a transaction idle. */
const frozen: Fault = {
  name: 'a host is frozen',
  lasts: { from: 8_000, to: 20_000 },
  short: 1_000,
  async strike({ hosts }, draw) {
    const { process } = hosts[draw(3)]!;
    process.kill('SIGSTOP');
    return () => void process.kill('SIGCONT');
  },
};

const pgbouncerKilled: Fault = {
  name: 'PgBouncer is killed',
  lasts: { from: 1_000, to: 6_000 },
  short: 500,
  missing: ({ pgbouncer }) =>
    pgbouncer ? undefined : 'this machine has no PgBouncer, so all hosts are connected without one',
  async strike({ pgbouncer }) {
    await pgbouncer!.kill();
    return () => pgbouncer!.start();
  },
};

const postgresKilled: Fault = {
  name: 'PostgreSQL is killed',
  lasts: { from: 500, to: 5_000 },
  async strike({ postgres }) {
    postgres.kill();
    return () => postgres.restart();
  },
};

const postgresRestarted: Fault = {
  name: 'PostgreSQL is restarted',
  lasts: { from: 0, to: 3_000 },
  short: 0,
  async strike({ postgres }) {
    await postgres.stopFast();
    return () => postgres.restart();
  },
};

/** The server ends all other sessions, recovers, and continues automatically. */
const sessionKilled: Fault = {
  name: 'a session of PostgreSQL is killed',
  lasts: AT_ONCE,
  async strike({ postgres }) {
    await postgres.killSession();
    return nothingToUndo;
  },
};

/** Existing connections become silent permanently; new ones are answered, as after a fail-over. */
const silent: Fault = {
  name: 'the primary goes silent',
  lasts: AT_ONCE,
  short: 0,
  outlived: true,
  async strike({ proxy }) {
    proxy.silence();
    return nothingToUndo;
  },
};

/** Existing connections become silent, and new ones are accepted but silent for a time. */
const lost: Fault = {
  name: 'the primary is lost for seconds',
  lasts: { from: 2_000, to: 12_000 },
  async strike({ proxy }) {
    proxy.refuseNew(true);
    proxy.silence();
    return () => proxy.refuseNew(false);
  },
};

/** Existing sessions stay but become read-only; new ones can write, as after a fail-over that moved the address. */
const demoted: Fault = {
  name: 'the primary is demoted and stays up',
  lasts: AT_ONCE,
  short: 0,
  outlived: true,
  async strike({ postgres }) {
    await postgres.administer(
      `alter role ${loginOf(postgres)} set default_transaction_read_only = off`,
      'alter system set default_transaction_read_only = on',
      'select pg_reload_conf()',
    );
    return () =>
      postgres.administer(
        'alter system reset default_transaction_read_only',
        'select pg_reload_conf()',
        `alter role ${loginOf(postgres)} reset default_transaction_read_only`,
      );
  },
};

const readOnly: Fault = {
  name: 'the primary is read-only for seconds',
  lasts: { from: 1_000, to: 6_000 },
  async strike({ postgres }) {
    await postgres.administer('alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    return () => postgres.administer('alter system reset default_transaction_read_only', 'select pg_reload_conf()');
  },
};

/**
 * The primary dies or becomes unreachable, and its standby replaces it: a different machine, to which the address moves. Answered changes
 * are present, because the standby followed synchronously.
 */
const failedOver: Fault = {
  name: 'PostgreSQL fails over to its standby',
  lasts: AT_ONCE,
  async strike({ postgres, proxy }, draw) {
    const { promote } = await postgres.follow();
    if (draw(2) === 0) {
      proxy.refuseNew(true);
      proxy.silence();
    }
    postgres.kill();
    await promote();
    proxy.moveTo(postgres.url);
    return () => proxy.refuseNew(false);
  },
};

/** Restarts all hosts one after the other, from a random one, while callers that repeat no call use the balancer. */
const rolling = (whileCalled: WhileCalled): Fault => ({
  name: 'all hosts are restarted in turn',
  lasts: AT_ONCE,
  async strike(world, draw) {
    const first = draw(3);
    await whileCalled(async () => {
      for (const next of [0, 1, 2]) await rollOver(world, (first + next) % 3);
    });
    return nothingToUndo;
  },
});

/** Runs `work` while callers, which repeat no call, use the balancer. */
export type WhileCalled = (restarts: () => Promise<void>) => Promise<void>;

/** All faults. */
export const faultsOf = (whileCalled: WhileCalled): readonly Fault[] => [
  killed,
  restarted,
  frozen,
  pgbouncerKilled,
  postgresKilled,
  postgresRestarted,
  sessionKilled,
  silent,
  lost,
  demoted,
  readOnly,
  failedOver,
  rolling(whileCalled),
];

/** The faults of hosts and the pooler that may overlap with a fault of the database. */
const BESIDE: ReadonlySet<Fault> = new Set([killed, frozen, pgbouncerKilled]);

/** Whether the second fault may occur during the first. */
export function mayMeet(first: Fault, second: Fault): boolean {
  const ofDatabase = [postgresKilled, postgresRestarted, sessionKilled, silent, lost, demoted, readOnly, failedOver];
  return BESIDE.has(first) && ofDatabase.includes(second);
}

/** Runs a fault, and a second one during it: they begin, last, and end. `outlived` resolves after every host works again. */
export async function happen(
  [fault, other]: readonly Fault[],
  world: ThreeHosts,
  random: () => number,
  outlived: () => Promise<void>,
): Promise<void> {
  const draw = (below: number) => Math.floor(random() * below);
  const millisecondsOf = ({ lasts, short = 0 }: Fault) =>
    soakSeconds > 0 ? lasts.from + (lasts.to - lasts.from) * random() : short;
  if (fault === undefined) return;
  const undo = await fault.strike(world, draw);
  const over = sleep(millisecondsOf(fault));
  const undoOther = await other?.strike(world, draw);
  if (other) await sleep(millisecondsOf(other));
  if (!other?.outlived) await undoOther?.();
  await over;
  if (!fault.outlived) await undo();
  await outlived();
  if (fault.outlived) await undo();
  if (other?.outlived) await undoOther?.();
}

function loginOf({ url }: { readonly url: string }): string {
  return new URL(url).username;
}
