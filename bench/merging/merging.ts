import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import type { Settings } from '../benchmark.ts';
import { measuredTogether } from '../measured-together.ts';
import { whole } from '../report.ts';
import { executeSql } from '../support/execute-sql.ts';
import { startLoad } from '../support/load.ts';
import { migratedDatabase } from '../support/migrated-database.ts';
import { type RestCall, restCalls } from '../support/rest-calls.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { createTenant } from '../support/tenant.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import type { TriggerRequestOptions } from '../triggers/event-of.ts';
import { setUpGame } from '../triggers/game.ts';

/** Rows of each merged account: earned rewards, point entries and lots of points. */
const ROWS = 10_000;

/** The aim, in milliseconds. */
const MERGE_MS = 2_000;

/** Events per second of the other accounts, and requests in flight. */
const RATE = 1_000;
const CONNECTIONS = 64;

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** Events in one call. */
const BATCH = 200;

const CODE = 'COLLECT';

export default measuredTogether(
  'merging',
  {
    duration: {
      about: `Milliseconds of a merge of two accounts with ${whole(ROWS)} rows each beside ${whole(RATE)} events a second, against the aim.`,
      aim: 1,
      lessIsBetter: true,
    },
    latency: {
      about: `Milliseconds to the answer at ${whole(RATE)} events a second over REST, p99, while such accounts are merged and the merge is undone once, against the same without.`,
      aim: 1.25,
      lessIsBetter: true,
    },
  },
  (settings) => withWorkbench('merging', (workbench) => measure(workbench, settings)),
);

async function measure(workbench: Workbench, { rounds, seconds }: Settings) {
  const databaseUrl = await migratedDatabase(workbench.databaseUrl, 'merging');
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2 });
  workbench.cleanUps.push(() => db.close());
  const tenant = await createTenant(db);
  const { baseUrl, port } = await startServiceProcess(workbench, { name: 'merging', databaseUrl });
  await setUpGame(db, baseUrl, tenant);
  const call = restCalls(baseUrl, tenant.adminToken);
  await setUpCollections(call);
  const accounts = ['one', 'other'].map((id) => `collector-${id}`);
  for (const account of accounts) await collect(call, account);
  await executeSql(databaseUrl, ['vacuum analyze']);
  const sourceOptions: TriggerRequestOptions = { apiKey: tenant.apiKey };
  const source = import.meta.resolve('../triggers/requests.ts');
  const { run, stop } = await startLoad({ host: '127.0.0.1', port, source, sourceOptions });
  workbench.cleanUps.push(stop);
  await run({ connections: CONNECTIONS, seconds: WARM_UP });
  const [calm, busy, merges, undos]: number[][] = [[], [], [], []];
  for (let round = 0; round < rounds; round += 1) {
    calm!.push((await run({ connections: CONNECTIONS, seconds, rate: RATE })).p99);
    const loading = run({ connections: CONNECTIONS, seconds, rate: RATE });
    const { merged, undone } = await mergeAndUndo(call, accounts as [string, string]);
    merges!.push(merged);
    undos!.push(undone);
    busy!.push((await loading).p99);
  }
  await verify(db, tenant.clientId);
  const details = { merges: `${merges!.length}, the slowest ${whole(Math.max(...merges!))} ms` };
  return {
    duration: {
      ...{ unit: 'ms', ours: median(merges!), reference: MERGE_MS },
      details: { ...details, 'an undo': `${whole(median(undos!))} ms` },
    },
    latency: {
      ...{ unit: 'ms', ours: median(busy!), reference: median(calm!) },
      details: { ...details, 'ratio of a round': describeRatios(busy!, calm!) },
    },
  };
}

/** A mission without end, in which each event earns points, as an operator would create it. */
async function setUpCollections(call: RestCall): Promise<void> {
  await call('POST', '/admin/event-definitions', { programmaticCode: CODE, type: 'SINGLE' });
  const { id: audienceId } = await call('POST', '/admin/audiences', { name: 'Collectors', kind: 'EVERYONE' });
  const reward = await call('POST', '/admin/rewards', { name: 'A point', type: 'POINTS', amount: 1 });
  const mission = { type: 'MISSION', name: 'Collect', programmaticCode: CODE, target: 1, repeat: {} };
  await call('POST', '/admin/missions', { audienceId, mission: { ...mission, rewardIds: [reward.id] } });
}

/** Lets an account earn {@link ROWS} rows. An event writes three. */
async function collect(call: RestCall, accountId: string): Promise<void> {
  for (let written = 0; written < ROWS; written += 3 * BATCH) {
    const event = { programmaticCode: CODE, accountId, idType: 'EXTERNAL' };
    await call('POST', '/gamification/triggers/batch', { triggers: Array.from({ length: BATCH }, () => event) });
  }
}

/** Merges two accounts and takes it back. @returns the milliseconds of both calls */
async function mergeAndUndo(call: RestCall, [accountId, intoAccountId]: readonly [string, string]) {
  const begun = performance.now();
  const merge = { intoAccountId, idType: 'EXTERNAL', progress: 'SUM' };
  const { mergeId } = await call<{ mergeId: string }>('POST', `/accounts/${accountId}/merge`, merge);
  const merged = performance.now();
  await call('POST', `/accounts/${intoAccountId}/merges/${mergeId}/undo`, { idType: 'EXTERNAL' });
  return { merged: merged - begun, undone: performance.now() - merged };
}

/** @throws Error unless the accounts have their rows again */
async function verify(db: Database, clientId: string): Promise<void> {
  const rows = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ rows: number }>(
      `select count(*)::int as rows from earned_reward where client_id = $1 group by account_id`,
      [clientId],
    ),
  );
  const wanted = Math.ceil(ROWS / (3 * BATCH)) * BATCH;
  if (rows.length !== 2 || rows.some((row) => row.rows !== wanted))
    throw new Error(`The accounts have ${JSON.stringify(rows)} rewards instead of ${wanted} each.`);
}
