import { afterAll, beforeAll, expect, test } from 'vitest';
import { partsOfAccount } from '../../src/app/parts-of-account.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type RestAnswer, restAs, type Tenant } from '../support/service.ts';
import { LIMITS } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

type Json = RestAnswer['body'];

let database: TestDatabase;
let tenant: Tenant;
let service: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  service = await startServiceProcess(database.url);
});
afterAll(async () => {
  await service.end('SIGKILL');
  await database.drop();
});

const post = (path: string, body: Json) => restAs(service.baseUrl, tenant)('POST', path, body);

async function ok(path: string, body: Json): Promise<Json> {
  const answer = await post(path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** The tables in which a merge moves, unites or combines rows, and those of the merge. */
const TABLES = [
  ...new Set([
    ...partsOfAccount.filter(({ merging }) => merging.kind === 'joins').map(({ table }) => table),
    ...['account', 'point_entry', 'account_merge', 'operation', 'outbox_message'],
  ]),
];

/** All rows of {@link TABLES}. */
function stored(): Promise<readonly object[]> {
  const rows = TABLES.map((table) => `select '${table}' as name, to_jsonb(t) as row from ${table} t`);
  return database.db.unitOfWork(tenant.clientId, (uow) =>
    uow.query(`select name, row from (${rows.join(' union all ')}) a order by name, row::text`),
  );
}

/** Kills the service in the midst of a call: it waits for a chest, when other parts have moved. */
async function killAmidst(path: string, body: Json): Promise<void> {
  const { db } = database;
  let killed: Promise<unknown> = Promise.resolve();
  await db.unitOfWork(tenant.clientId, async (uow) => {
    expect(await uow.query('select 1 from chest for update')).toHaveLength(1);
    killed = post(path, body).catch(() => {});
    const waiting = () =>
      db.systemUnitOfWork(async (other) => {
        // Only the login sees the waits of its sessions.
        await other.query('set local role none');
        return other.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
      });
    await expect.poll(waiting, { interval: 5, timeout: 10_000 }).toHaveLength(1);
    await service.end('SIGKILL');
  });
  await killed;
  service = await startServiceProcess(database.url);
}

test('a merge, and its undo, whose process is killed in the midst of it have changed nothing', LIMITS, async () => {
  const created = async (path: string, body: Json): Promise<string> => (await ok(path, body))['id'];
  const [guest, member] = [await created('/accounts', {}), await created('/accounts', {})];
  await ok('/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' });
  const audienceId = await created('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const productId = await created('/admin/products', {
    name: 'A puzzle',
    stockMode: 'UNLIMITED',
    fragmentsRequired: 9,
  });
  const points = await created('/admin/rewards', { name: 'Ten', type: 'POINTS', amount: 10 });
  const entries = [{ rewardId: points, guaranteed: true }];
  const chestId = await created('/admin/chests', { name: 'A chest', entries });
  const rewardIds = [
    points,
    await created('/admin/rewards', { name: 'Pieces', type: 'FRAGMENTS', amount: 2, productId }),
    await created('/admin/rewards', { name: 'Chest', type: 'CHEST', amount: 1, chestId }),
    await created('/admin/rewards', { name: 'Puzzle', type: 'PRODUCTS', amount: 1, productId }),
  ];
  const mission = { type: 'MISSION', name: 'Visit', programmaticCode: 'VISIT', target: 1, rewardIds };
  await ok('/admin/missions', { audienceId, mission });
  await ok('/gamification/triggers', { programmaticCode: 'VISIT', accountId: guest });

  const merge = [`/accounts/${guest}/merge`, { intoAccountId: member, progress: 'SUM', operationId: 'case' }] as const;
  const apart = await stored();
  await killAmidst(...merge);
  expect(await stored()).toEqual(apart);
  const { mergeId, moved } = await ok(...merge);
  expect(moved).toMatchObject({ points: 10, chests: 1, redemptions: 1, earnedRewards: 4 });

  const undo = [`/accounts/${member}/merges/${mergeId}/undo`, { operationId: 'case' }] as const;
  const merged = await stored();
  await killAmidst(...undo);
  expect(await stored()).toEqual(merged);
  await ok(...undo);
  const given = (await ok(...merge))['mergeId'];
  expect(given).toBe(mergeId);
  expect((await restAs(service.baseUrl, tenant)('GET', `/loyalty/accounts/${guest}/points`)).body).toMatchObject({
    available: 10,
  });
  await expectExact(database.db);
});
