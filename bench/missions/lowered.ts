import { setTimeout as sleep } from 'node:timers/promises';
import type { Result, Settings } from '../benchmark.ts';
import { ATTRIBUTES, EVENT_CODE, type OrderOptions } from '../expressions/order-requests.ts';
import { createAccounts, createWorld, type World } from '../expressions/world.ts';
import { measuredTogether } from '../measured-together.ts';
import { whole } from '../report.ts';
import { executeSql } from '../support/execute-sql.ts';
import { startLoad } from '../support/load.ts';
import { median } from '../support/statistics.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';

/** Accounts with progress, and those of them that have reached the lower target. */
const PLAYERS = 1_000_000;
const REACHED = 100_000;

/** Milliseconds for each account that is completed: a hundred thousand in a minute and a half. */
const WANTED_MS = 1;

/** Single events per second meanwhile, and requests in flight. */
const RATE = 300;
const CONNECTIONS = 16;

/** Seconds until the code is hot, and of events in one measurement of the p99 meanwhile. */
const WARM_UP = 6;
const PART_S = 5;

/** The code of the mission whose target becomes lower; the measured events have another one. */
const VISIT = 'VISIT';

export default measuredTogether(
  'missions:lowered',
  {
    duration: {
      about: `Milliseconds until ${whole(REACHED)} of ${whole(PLAYERS)} accounts have completed a mission whose target was lowered, beside ${whole(RATE)} events a second, against ${WANTED_MS} ms for each.`,
      aim: 1,
      lessIsBetter: true,
    },
    latency: {
      about: `Milliseconds to the answer at ${whole(RATE)} events a second over REST, p99, meanwhile, against the same before it.`,
      aim: 1.5,
      lessIsBetter: true,
    },
  },
  (settings) => withWorkbench('lowered', (workbench) => measure(workbench, settings)),
);

async function measure(
  workbench: Workbench,
  { rounds, seconds }: Settings,
): Promise<Record<'duration' | 'latency', Result>> {
  const world = await createWorld(workbench, 'lowered');
  await createAccounts(world, PLAYERS, 2);
  const missionId = await setUpGame(world);
  await giveProgress(world, missionId);
  const sourceOptions: OrderOptions = { apiKey: world.apiKey, accountCount: PLAYERS, isSingle: true };
  const source = import.meta.resolve('../expressions/order-requests.ts');
  const { run, stop } = await startLoad({ host: '127.0.0.1', port: world.port, source, sourceOptions });
  workbench.cleanUps.push(stop);
  await run({ connections: CONNECTIONS, seconds: WARM_UP });
  const p99 = async (forSeconds: number) =>
    (await run({ connections: CONNECTIONS, seconds: forSeconds, rate: RATE })).p99;
  const calm: number[] = [];
  for (let round = 0; round < rounds; round += 1) calm.push(await p99(seconds));
  const begun = performance.now();
  await world.admin('POST', `/admin/missions/${missionId}/improve`, { version: 1, target: 8 });
  const during: number[] = [];
  const isDone = () => hasPassed(world, missionId);
  const loading = (async () => {
    while (!(await isDone())) during.push(await p99(PART_S));
  })();
  while (!(await isDone())) await sleep(100);
  const took = performance.now() - begun;
  await loading;
  await verify(world, missionId);
  return {
    duration: {
      ...{ unit: 'ms', ours: took, reference: WANTED_MS * REACHED },
      details: { verified: 'each account has the reward once', 'with the wait': 'for the job, which looks every 5 s' },
    },
    latency: {
      ...{ unit: 'ms', ours: median(during), reference: median(calm) },
      details: { measurements: `${during.length} of ${PART_S} s meanwhile` },
    },
  };
}

/** A mission for the measured events, and one of 10 visits. @returns the id of the latter */
async function setUpGame({ admin }: World): Promise<string> {
  const { id: audienceId } = await admin('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const { id: rewardId } = await admin('POST', '/admin/rewards', { name: '10 points', type: 'POINTS', amount: 10 });
  const order = { programmaticCode: EVENT_CODE, type: 'AMOUNT', attributes: ATTRIBUTES };
  await admin('POST', '/admin/event-definitions', order);
  await admin('POST', '/admin/event-definitions', { programmaticCode: VISIT, type: 'SINGLE' });
  const orders = { type: 'MISSION', name: 'Orders', programmaticCode: EVENT_CODE, target: 1_000_000_000 };
  await admin('POST', '/admin/missions', { audienceId, mission: orders });
  const visits = { type: 'MISSION', name: 'Visits', programmaticCode: VISIT, target: 10, rewardIds: [rewardId] };
  return (await admin('POST', '/admin/missions', { audienceId, mission: visits })).id;
}

/** Gives every account progress: one in ten has 9, the others 3. */
async function giveProgress({ db, databaseUrl, clientId }: World, missionId: string): Promise<void> {
  await db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into assignment (client_id, account_id, mission_id, id, progress, status, started_at, updated_at)
       select client_id, id, $2, gen_random_uuid(), case when ordinal % 10 = 0 then 9 else 3 end, 'ACTIVE', now(), now()
         from (select client_id, id, row_number() over (order by id) as ordinal from account where client_id = $1) a`,
      [clientId, missionId],
    ),
  );
  await executeSql(databaseUrl, ['vacuum analyze assignment']);
}

/** Whether the job has gone by all accounts. */
async function hasPassed({ db, clientId }: World, missionId: string): Promise<boolean> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ pass: number }>('select reached_pass as pass from mission where client_id = $1 and id = $2', [
      clientId,
      missionId,
    ]),
  );
  return row?.pass === 2;
}

/** @throws Error unless each account that had reached the target has the reward once */
async function verify({ db, clientId }: World, missionId: string): Promise<void> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ rewards: number; accounts: number }>(
      `select count(*)::int as rewards, count(distinct account_id)::int as accounts from earned_reward where mission_id = $1`,
      [missionId],
    ),
  );
  if (row?.rewards === REACHED && row.accounts === REACHED) return;
  throw new Error(`There are ${JSON.stringify(row)} rewards instead of ${REACHED}.`);
}
