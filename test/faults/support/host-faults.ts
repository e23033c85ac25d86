import { setTimeout as sleep } from 'node:timers/promises';
import { soakSeconds } from '../bounds.ts';
import { rollOver, type ThreeHosts } from './three-hosts.ts';

/** Something that happens to a host, to the way to the database, or to the database of all. */
export type Fault = {
  readonly name: string;
  /** Milliseconds from its beginning to its undoing, at least and at most. */
  readonly lasts: { readonly from: number; readonly to: number };
  /** The same in the short form of the test, which leaves out what has none: that is what other tests show as well. */
  readonly short?: number;
  /**
   * Begins it. `draw` gives a whole number below its argument, from the seed alone.
   * @returns what undoes it
   */
  strike(world: ThreeHosts, draw: (below: number) => number): Promise<() => Promise<void> | void>;
  /** The hosts have to work again without its being undone, which happens only afterwards. */
  readonly outlived?: boolean;
  /** Why it cannot happen on this machine, in words; undefined where it can. */
  missing?(world: ThreeHosts): string | undefined;
};

const AT_ONCE = { from: 0, to: 0 };

const nothingToUndo = (): void => {};

/** A host ends by a signal, and is started again. */
const ends = (signal: 'SIGKILL' | 'SIGTERM', told: Pick<Fault, 'name' | 'lasts' | 'short'>): Fault => ({
  ...told,
  async strike(world, draw) {
    const host = draw(3);
    await world.end(host, signal);
    return () => world.start(host);
  },
});

const killed = ends('SIGKILL', { name: 'a host is killed', lasts: { from: 0, to: 3_000 }, short: 0 });
const restarted = ends('SIGTERM', { name: 'a host is restarted', lasts: AT_ONCE });

/** Now and then for longer than PostgreSQL leaves a transaction idle. */
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

/** The server ends all the others, recovers, and goes on by itself. */
const sessionKilled: Fault = {
  name: 'a session of PostgreSQL is killed',
  lasts: AT_ONCE,
  async strike({ postgres }) {
    await postgres.killSession();
    return nothingToUndo;
  },
};

/** The connections that exist say nothing any more, for good; new ones are answered, as after a fail-over. */
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

/** The same, and for a time new connections are accepted and hear nothing either. */
const lost: Fault = {
  name: 'the primary is lost for seconds',
  lasts: { from: 2_000, to: 12_000 },
  async strike({ proxy }) {
    proxy.refuseNew(true);
    proxy.silence();
    return () => proxy.refuseNew(false);
  },
};

/** The sessions that exist refuse every change and stay up; new ones take them, as after a fail-over that moved the address. */
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
 * The primary dies, or vanishes without a word, and its standby takes its place: a machine of its own, to which the
 * address moves. What was answered is there, because the standby followed synchronously.
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

/** All hosts one after the other, the first being drawn, while callers who repeat nothing call by way of the balancer. */
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

/** Runs what it is given while callers, who repeat nothing, call by way of the balancer. */
export type WhileCalled = (restarts: () => Promise<void>) => Promise<void>;

/** Every fault there is. */
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

/** The faults of hosts and the pooler during which one of the database may happen as well. */
const BESIDE: ReadonlySet<Fault> = new Set([killed, frozen, pgbouncerKilled]);

/** Whether the second fault may happen while the first lasts. */
export function mayMeet(first: Fault, second: Fault): boolean {
  const ofDatabase = [postgresKilled, postgresRestarted, sessionKilled, silent, lost, demoted, readOnly, failedOver];
  return BESIDE.has(first) && ofDatabase.includes(second);
}

/**
 * Lets a fault happen, and another while it lasts: they begin, last, and are undone. `outlived` resolves when every host
 * works.
 */
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
