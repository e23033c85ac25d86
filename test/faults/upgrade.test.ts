// The previous release, and in the long form each earlier one, and this one on one database, forward and back, as in docs/upgrading.md.
import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkUpgrade } from '../../src/commands/database/upgrade-check.ts';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { ownMigrations, RELEASES } from '../../src/persistence/migrating/own-migrations.ts';
import { createDatabase, dropDatabase } from '../support/databases.ts';
import { newGame } from '../support/game.ts';
import { newTenant, restAs, type Rest, type Tenant } from '../support/service.ts';
import { LIMITS, seed, soakSeconds } from './bounds.ts';
import { playCorrections } from './support/corrected-world.ts';
import { startEventLoad } from './support/event-load.ts';
import { expectExact } from './support/expect-exact.ts';
import type { Seen } from './support/household.ts';
import { startMixedLoad } from './support/mixed-load.ts';
import { missing, type Released, type ReleasedVersion, unpackRelease } from './support/released-process.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

/** The milliseconds of each of the five phases. */
const PHASE_MS = Math.max(1_000, (soakSeconds * 1_000) / 5);

/** The hosts of each release, and their callers; only the long form has enough callers to use the whole machine. */
const LOAD =
  soakSeconds > 0
    ? { older: 3, newer: 2, ofEach: 2, events: { workers: 4 } }
    : { older: 2, newer: 1, ofEach: 1, events: { workers: 2, pauseMs: 100 } };

/** The milliseconds before each call of the short form: a migration that gives way for a minute costs few seconds of the processor. */
const SHORT_PAUSE_MS = 100;

/** Rows of other clients, so that a read or write of a whole table takes long. */
const ACCOUNTS = soakSeconds > 0 ? 500_000 : 50_000;

/** The maximum milliseconds of the slowest call on a busy machine; a migration in one transaction took 33 s. */
const LONGEST_WAIT_MS = 5_000;

let url: string;
let db: Database;
let released: Released;
let tenant: Tenant;
const hosts: ServiceProcess[] = [];

/** A database that a release has created, with many rows of other clients. */
async function prepare(version: ReleasedVersion): Promise<void> {
  released = unpackRelease(version);
  url = await createDatabase(inject('templateUrl'), `laurel_upgrade_${randomBytes(6).toString('hex')}`);
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [released.main, 'migrate'], { env });
  db = await openDatabase({ url, entities, poolMax: 4 });
  tenant = await newTenant(db);
  await fill(tenant.clientId);
}

async function remove(): Promise<void> {
  await Promise.all(hosts.splice(0).map((host) => host.end('SIGKILL')));
  await db.close();
  await dropDatabase(inject('templateUrl'), url);
  released.remove();
}

async function fill(clientId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set role laurel_system');
  await client.query(
    `insert into account (client_id, id, external_id, name)
     select $1, gen_random_uuid(), 'filler-' || n, case when n % 50 = 0 then 'Οδός ' else 'Person ' end || n
       from generate_series(1, $2::int) n`,
    [clientId, ACCOUNTS],
  );
  await client.end();
}

/** Calls that are sent in turn to the hosts of a balancer. */
function dealtOut() {
  const serving: ServiceProcess[] = [];
  const longestMs = new Map<string, number>();
  let phase = '';
  let turn = 0;
  const next = () => serving[(turn += 1) % serving.length]!.baseUrl;
  const rest: Rest = async (...call) => {
    if (soakSeconds === 0) await sleep(SHORT_PAUSE_MS);
    const begun = performance.now();
    const during = phase;
    const answer = await restAs(next(), tenant)(...call);
    longestMs.set(during, Math.max(longestMs.get(during) ?? 0, Math.round(performance.now() - begun)));
    return answer;
  };
  return {
    next,
    rest,
    longestMs,
    async begin(name: string) {
      phase = name;
      longestMs.set(name, 0);
    },
    async start(count: number, main?: string) {
      const started = await Promise.all(
        Array.from({ length: count }, () => startServiceProcess(url, main === undefined ? {} : { main })),
      );
      hosts.push(...started);
      serving.push(...started);
      return started;
    },
    /** The steps of the page: remove it from the balancer, then SIGTERM. */
    async stop(old: readonly ServiceProcess[]) {
      serving.splice(0, serving.length, ...serving.filter((host) => !old.includes(host)));
      // Earlier calls are answered; a balancer waits as well.
      await sleep(500);
      for (const host of old) {
        hosts.splice(hosts.indexOf(host), 1);
        expect(await host.end('SIGTERM')).toBe(0);
      }
    },
  };
}

/** The short form upgrades only from the newest release: each takes a minute of two cores. */
const from = soakSeconds > 0 ? RELEASES : RELEASES.slice(-1);

describe.each(from)('the upgrade from $version', ({ version, last }) => {
  const lacking = missing(version);
  if (lacking !== undefined) console.log(`The upgrade from ${version} is not tried: ${lacking}`);
  beforeAll(async () => lacking ?? (await prepare(version)), 120_000);
  afterAll(async () => lacking ?? (await remove()), 60_000);

  test.skipIf(lacking !== undefined)(
    'hosts of both serve one database under mixed load, forward and back: no call fails, and all adds up',
    { timeout: 3 * LIMITS.timeout + 180_000 },
    () => forwardAndBack(version, last),
  );
});

async function forwardAndBack(version: ReleasedVersion, last: string): Promise<void> {
  const calls = dealtOut();
  await calls.begin(version);
  const older = await calls.start(LOAD.older, released.main);
  const { missionIds } = await newGame(
    { rest: calls.rest, ...tenant },
    { codes: { LOGIN: 'SINGLE' }, missions: [{ programmaticCode: 'LOGIN', target: 1_000_000_000 }] },
  );
  const mixed = await startMixedLoad(calls.rest, tenant, LOAD.ofEach);
  const events = startEventLoad({ baseUrl: calls.next, apiKey: tenant.apiKey, seed, ...LOAD.events });
  const during = async (name: string) => {
    await calls.begin(name);
    await Promise.race([sleep(PHASE_MS), mixed.refused]);
  };
  await during(version);
  expect(await checkUpgrade(url)).toMatchObject({ rolling: true });

  await calls.begin('migration');
  const begun = performance.now();
  const applied = await Promise.race([migrate(url), mixed.refused]);
  const migratedInMs = Math.round(performance.now() - begun);
  expect(applied).toEqual((await ownMigrations()).filter((name) => name > last));
  await during(`${version} after the migration`);
  const newer = await calls.start(LOAD.newer);
  await during('both, forward');
  await calls.stop(older);
  await Promise.all([during('this release'), correct(newer)]);
  const again = await calls.start(LOAD.newer, released.main);
  await during('both, back');
  await calls.stop(newer);
  await during(`${version} again`);

  await mixed.stop();
  const answered = await events.stop();
  const total = [...mixed.done.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `From ${version}: migrated in ${migratedInMs} ms beside calls on ${ACCOUNTS} accounts; ${total} mixed calls, ${answered.length} events, ` +
      `${events.repeated} failed; longest wait by phase, in ms: ${JSON.stringify(Object.fromEntries(calls.longestMs))}`,
  );
  expect(events.repeated).toBe(0);
  for (const waitedMs of calls.longestMs.values()) expect(waitedMs).toBeLessThan(LONGEST_WAIT_MS);
  await expectCounts(calls.rest, missionIds[0]!, answered);
  await expectCounts(
    calls.rest,
    mixed.laterMissionId,
    [...mixed.accepted].flatMap(([accountId, count]) => Array.from({ length: count }, () => ({ accountId }))),
  );
  await expectExact(db);
  await calls.stop(again);
}

/** Events are taken back, backfilled and accounts merged while all hosts are of this release, beside the load of the others. */
async function correct(newer: readonly ServiceProcess[]): Promise<void> {
  const seen: Seen = {};
  const addresses = newer.map(({ baseUrl }) => baseUrl);
  const size = soakSeconds > 0 ? { steps: 1_000, households: 4 } : { steps: 50, households: 2 };
  await playCorrections({ db, hosts: addresses, round: 1, ...size, seen });
  console.log(`Corrections on this release: ${JSON.stringify(seen)}`);
  for (const what of ['reverse', 'merge']) expect(seen[what], what).toBeGreaterThan(0);
}

/** Checks that each account's progress is the number of its events. */
async function expectCounts(
  rest: Rest,
  missionId: string,
  answered: ReadonlyArray<{ accountId: string }>,
): Promise<void> {
  for (const [accountId, sent] of Map.groupBy(answered, (event) => event.accountId)) {
    const progress = async () => {
      const { body } = await rest('GET', `/v1/gamification/missions/progress/${accountId}?idType=EXTERNAL`);
      return body.find((mission: { missionId: string }) => mission.missionId === missionId)?.progress;
    };
    await expect.poll(progress, { timeout: 10_000 }).toBe(sent.length);
  }
}
