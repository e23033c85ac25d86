import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { createAccounts, createWorld, type World } from '../expressions/world.ts';
import { accountIdOf, accountIdSql } from '../growth/accounts.ts';
import { EVENT_CODES, type GrowthOptions } from '../growth/trigger-requests.ts';
import { whole } from '../report.ts';
import { executeSql } from '../support/execute-sql.ts';
import { startLoad } from '../support/load.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { withWorkbench } from '../support/workbench.ts';
import { startReceivers } from '../webhooks/receivers.ts';

/** Accounts of the client, each with a streak that ends in the same moment. */
const STREAKS = 1_000_000;

/** Events per second, and requests in flight. */
const RATE = 400;
const CONNECTIONS = 64;

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** The code of the streak's events. */
const VISIT = 'VISIT';

/** An amount that completes a mission; no account reaches it. */
const TARGET = 1_000_000;

/** Milliseconds for the first announcement: the job looks once a minute. */
const PATIENCE = 120_000;

export const streakRisk: readonly Benchmark[] = [
  {
    name: 'statistics:at-risk',
    about: `Milliseconds to the answer at ${whole(RATE)} events a second over REST, p99, while ${whole(STREAKS)} streaks of one zone are announced as at risk, against the same before.`,
    aim: 1.25,
    lessIsBetter: true,
    run: measure,
  },
];

function measure({ rounds, seconds }: Settings): Promise<Result> {
  return withWorkbench('statistics-at-risk', async (workbench) => {
    const receivers = await startReceivers(workbench);
    const world = await createWorld(workbench, 'risk', { LAUREL_WEBHOOK_ALLOW_PRIVATE: 'true' });
    await createAccounts(world, STREAKS, 2);
    await setUpGame(world, receivers.endpointOf('app'));
    await giveStreaks(world);
    const sourceOptions: GrowthOptions = { apiKey: world.apiKey, accountCount: STREAKS };
    const source = import.meta.resolve('../growth/trigger-requests.ts');
    const { run, stop } = await startLoad({ host: '127.0.0.1', port: world.port, source, sourceOptions });
    workbench.cleanUps.push(stop);
    await run({ connections: CONNECTIONS, seconds: WARM_UP });
    const p99 = async () => (await run({ connections: CONNECTIONS, seconds, rate: RATE })).p99;
    const [calm, busy]: number[][] = [[], []];
    for (let round = 0; round < rounds; round += 1) calm!.push(await p99());
    await makeDue(world);
    await untilAnnounced(world);
    const [begun, before] = [performance.now(), await announced(world)];
    for (let round = 0; round < rounds; round += 1) busy!.push(await p99());
    const after = await announced(world);
    if (after === STREAKS) throw new Error('All streaks were announced before the measurement ended: shorten it.');
    await verify(world);
    return {
      unit: 'ms',
      ours: median(busy!),
      reference: median(calm!),
      details: {
        'ratio of a round': describeRatios(busy!, calm!),
        announced: `${whole(((after - before) * 1_000) / (performance.now() - begun))} streaks a second`,
        verified: 'each announced streak has one webhook',
      },
    };
  });
}

/** A mission for each code of the measured events, a streak for everyone, and an endpoint that is told of streaks at risk. */
async function setUpGame({ admin, clientId }: World, url: string): Promise<void> {
  const { version, name } = await admin<{ version: number; name: string }>('GET', `/admin/clients/${clientId}`);
  const streaks = { atRiskHours: 48, atRiskLength: 1 };
  await admin('PUT', `/admin/clients/${clientId}`, { version, name, timeZone: 'UTC', streaks });
  const { id: audienceId } = await admin('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  for (const programmaticCode of [...EVENT_CODES, VISIT])
    await admin('POST', '/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
  for (const programmaticCode of EVENT_CODES) {
    const mission = { type: 'MISSION', name: programmaticCode, programmaticCode, target: TARGET };
    await admin('POST', '/admin/missions', { audienceId, mission });
  }
  const startsAt = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const mission = { type: 'STREAK', name: 'Every day', programmaticCode: VISIT, endless: true, startsAt };
  await admin('POST', '/admin/missions', { audienceId, mission });
  await admin('POST', '/webhooks/endpoints', { endpoint: { name: 'App', url, types: ['STREAK_AT_RISK'] } });
}

/** Gives each account the run that an event of yesterday begins. */
async function giveStreaks({ admin, db, databaseUrl, clientId }: World): Promise<void> {
  const yesterday = new Date(new Date().setUTCHours(0, 0, 0, 0) - 60_000).toISOString();
  await admin('POST', '/gamification/triggers', {
    ...{ programmaticCode: VISIT, accountId: accountIdOf(0), operationId: 'first', occurredAt: yesterday },
  });
  await db.systemUnitOfWork(async (uow) => {
    await uow.query(
      `insert into assignment (client_id, account_id, mission_id, id, progress, status, state, started_at)
       select client_id, ${accountIdSql('number')}, mission_id, md5(number::text)::uuid, progress, status, state, started_at
         from assignment, generate_series(1, ${STREAKS - 1}) as number where client_id = $1`,
      [clientId],
    );
    await uow.query('delete from streak_risk where client_id = $1', [clientId]);
  });
  await executeSql(databaseUrl, ['vacuum analyze assignment']);
}

/** Makes all streaks due at once. */
async function makeDue({ db, databaseUrl, clientId }: World): Promise<void> {
  await db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into streak_risk (client_id, account_id, mission_id, next_at)
       select client_id, account_id, mission_id, now() from assignment where client_id = $1 and state is not null`,
      [clientId],
    ),
  );
  await executeSql(databaseUrl, ['vacuum analyze streak_risk']);
}

async function announced({ db }: World): Promise<number> {
  const [row] = await db.systemUnitOfWork((uow) =>
    uow.query<{ count: number }>('select count(*)::int as count from streak_risk where warned_period is not null'),
  );
  return row!.count;
}

async function untilAnnounced(world: World): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while ((await announced(world)) === 0) {
    if (Date.now() > deadline) throw new Error('No streak is announced.');
    await sleep(500);
  }
}

/** @throws Error unless each announced streak has one webhook, sent or waiting */
async function verify({ db }: World): Promise<void> {
  const [row] = await db.systemUnitOfWork((uow) =>
    uow.query<{ streaks: number; messages: number }>(
      `select (select count(*)::int from streak_risk where warned_period is not null) as streaks,
              (select count(*)::int from (select id from outbox_message union select message_id from webhook_delivery) m) as messages`,
    ),
  );
  if (row!.streaks !== row!.messages) throw new Error(`The announced streaks have webhooks: ${JSON.stringify(row)}.`);
}
