import { pino } from 'pino';
import { clientIds } from '../../src/clients/client-ids.ts';
import { openClockWatch } from '../../src/housekeeping/clock/clock-watch.ts';
import { createHousekeeping } from '../../src/housekeeping/housekeeping.ts';
import { scheduledJobs } from '../../src/housekeeping/scheduled-jobs.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { CLOCK_TOLERANCE_MS } from '../../src/kernel/time/due.ts';
import { createCatalogs } from '../../src/campaigns/catalog/catalog.ts';
import { partsOfAccount } from '../../src/app/parts-of-account.ts';
import { moveClock } from '../support/moved-clock.ts';
import { type Jump, LITTLE, type Moments } from './clock-jumps.ts';
import type { Nodes } from './world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The maximum hours with wrong clocks: a doubt ends automatically after 24 hours. */
const HOURS_AWAY = 22;

/** The clocks of PostgreSQL and of both nodes, and the expected reaction of the service. */
export type Clocks = Awaited<ReturnType<typeof startClocks>>;

/**
 * Takes control of the clocks of nodes. All clocks, and the monotonic one, advance only by `pass`; the service's clock does not move in
 * between, because the model expects that. Between two jumps, the service's clock and PostgreSQL's differ by the run time of a few steps.
 */
export async function startClocks({ service, clock }: Nodes) {
  let time = clock.read().getTime();
  let begun = performance.now();
  let ahead = { database: 0, machine: 0, service: 0 };
  /** The result of the service's last check of the clock. */
  let seen = { isTrusted: true, base: time };
  let hoursAway = 0;
  const postgres = await moveClock(service.db);
  const flowing = () => time + (performance.now() - begun);
  const set = async () => {
    clock.set(time + ahead.service);
    await postgres.setAhead(Math.round(flowing() + ahead.database - Date.now()));
  };
  await set();
  const watch = await openClockWatch({
    db: service.db,
    logger: pino({ level: 'silent' }),
    everyMs: DAY,
    local: () => new Date(flowing() + ahead.machine),
    uptime: flowing,
  });

  function foresee(): void {
    const { database, machine } = ahead;
    const isTrusted = Math.abs(database) <= LITTLE && Math.abs(machine - database) <= 2 * LITTLE;
    seen = { isTrusted, base: isTrusted ? time + database : seen.base };
  }
  const look = async () => {
    foresee();
    await watch.trustedNow();
  };

  async function follow(): Promise<void> {
    ahead = { ...ahead, service: ahead.database };
    await set();
  }

  async function moveTo({ of, to, isFollowed, isSeen }: Jump): Promise<void> {
    const { database, machine, service: own } = ahead;
    const [postgresTo, machineTo] = [of === 'machine' ? database : to, of === 'database' ? machine : to];
    const isLate = !isFollowed && Math.abs(to) > LITTLE;
    ahead = { database: postgresTo, machine: machineTo, service: isLate ? own + (machineTo - machine) : postgresTo };
    await set();
    if (isSeen) await look();
  }

  return {
    moments(): Moments {
      const now = time + ahead.service;
      const most = seen.base + (seen.isTrusted ? CLOCK_TOLERANCE_MS : 0);
      return { now, trusted: now <= most ? now : seen.base };
    },
    isFollowed: () => ahead.service === ahead.database,
    /** Whether clocks would be wrong for longer than {@link HOURS_AWAY}. */
    isTooLong: (hours: number) => Math.abs(ahead.database) > LITTLE && hoursAway + hours > HOURS_AWAY,
    follow,
    jump: moveTo,
    /** Sets all clocks right, and lets the service notice it. */
    putRight: () => moveTo({ of: 'both', to: 0, isFollowed: true, isSeen: true }),
    /** Advances the time; the service then checks its clock, as it does every minute. */
    async pass(hours: number): Promise<void> {
      hoursAway = Math.abs(ahead.database) > LITTLE ? hoursAway + hours : 0;
      if (hours > 0) [time, begun] = [time + hours * HOUR, performance.now()];
      await set();
      await look();
    },
    /**
     * Runs every housekeeping job at least once, for one client. Returns the time that the round uses, undefined if it makes no irrevocable
     * changes, and a promise of its end.
     */
    tidy(clientId: string): { by: number | undefined; done: Promise<void> } {
      foresee();
      const done = roundOf(clientId);
      return { by: seen.isTrusted ? seen.base : undefined, done };
    },
    async stop(): Promise<void> {
      await watch.stop();
      postgres.restore();
    },
  };

  async function roundOf(clientId: string): Promise<void> {
    const open = new Map(jobs.map(({ name }) => [name, true]));
    await new Promise<void>((resolve) => {
      const housekeeping = createHousekeeping({
        db: service.db,
        jobs: jobs.map((job) => ({
          ...job,
          everyMs: 1,
          due: async (uow, now) => (await (job.due ?? clientIds)(uow, now)).filter((id) => id === clientId),
        })),
        clock: clock.read,
        trustedNow: watch.trustedNow,
        logger: pino({ level: 'error' }, process.stderr),
        observe({ name }) {
          open.delete(name);
          if (open.size === 0) resolve(housekeeping.stop());
        },
      });
      housekeeping.start();
    });
  }
}

/** The housekeeping jobs on data that the worlds contain. */
const jobs = scheduledJobs(
  { operationDays: 90, deliveryDays: 90, auditDays: 400, journalDays: 90 },
  {
    dispatcher: { wake() {} },
    parts: partsOfAccount,
    catalogs: createCatalogs(),
    secrets: createSecretBox([Buffer.alloc(32, 1)]),
    alerts: { check: () => Promise.resolve(0) },
  },
).filter(({ name, irrevocable }) => (irrevocable || name === 'resume restocks') && !name.includes('journal'));
