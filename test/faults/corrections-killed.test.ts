import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type RestAnswer, restAs, type Tenant } from '../support/service.ts';
import { LIMITS } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

type Json = RestAnswer['body'];

let database: TestDatabase;
let tenant: Tenant;
let service: ServiceProcess;
/** The tables with rows of clients, without two that a process writes without a call. */
let tables: string[];

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  service = await startServiceProcess(database.url);
  const found = await database.db.systemUnitOfWork((uow) =>
    uow.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where a.attname = 'client_id' and c.relkind in ('r', 'p') and not c.relispartition
          and c.relnamespace = 'public'::regnamespace and c.relname not in ('credential', 'statistic_hour')`,
    ),
  );
  tables = found.map(({ name }) => name);
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

/** All rows of {@link tables}. */
function stored(): Promise<readonly object[]> {
  const rows = tables.map((table) => `select '${table}' as name, to_jsonb(t) as row from ${table} t`);
  return database.db.unitOfWork(tenant.clientId, (uow) =>
    uow.query(`select name, row from (${rows.join(' union all ')}) a order by name, row::text`),
  );
}

/** Kills the service in the midst of a call: it waits for the rows of a table, when it has written others. It has changed nothing. */
async function killAmidst(path: string, body: Json, table = 'chest'): Promise<void> {
  const before = await stored();
  const { db } = database;
  let killed: Promise<unknown> = Promise.resolve();
  await db.unitOfWork(tenant.clientId, async (uow) => {
    expect(await uow.query(`select 1 from ${table} for update`)).toHaveLength(1);
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
  expect(await stored()).toEqual(before);
}

test(
  'a backfill, a merge, its undo and a reversal whose process is killed in the midst of it have changed nothing',
  { timeout: 2 * LIMITS.timeout },
  async () => {
    const created = async (path: string, body: Json): Promise<string> => (await ok(path, body))['id'];
    const member = await created('/accounts', {});
    await database.db.unitOfWork(tenant.clientId, (uow) => uow.query('update client set backfill_days_max = 30'));
    await ok('/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' });
    const audienceId = await created('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
    const productId = await created('/admin/products', {
      name: 'A puzzle',
      stockMode: 'COUNTED',
      stock: 5,
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
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const mission = { type: 'MISSION', name: 'Visit', programmaticCode: 'VISIT', target: 1, startsAt: daysAgo(20) };
    await ok('/admin/missions', { audienceId, mission: { ...mission, rewardIds } });

    const visit = { programmaticCode: 'VISIT', accountId: 'guest', idType: 'EXTERNAL', operationId: 'visit' };
    const triggers = [{ ...visit, occurredAt: daysAgo(3) }];
    const backfill = ['/gamification/triggers/backfill', { rewards: 'ALL', triggers }] as const;
    // The account is new, and its rewards need the product.
    await killAmidst(...backfill, 'product');
    for (const replayed of [false, true])
      expect(await ok(...backfill)).toMatchObject({ results: [{ result: { replayed } }] });
    const guest = await created('/accounts/resolve', { externalId: 'guest' });

    const merge = [
      `/accounts/${guest}/merge`,
      { intoAccountId: member, progress: 'SUM', operationId: 'case' },
    ] as const;
    await killAmidst(...merge);
    const { mergeId, moved } = await ok(...merge);
    expect(moved).toMatchObject({ points: 10, chests: 1, redemptions: 1, earnedRewards: 4 });

    const undo = [`/accounts/${member}/merges/${mergeId}/undo`, { operationId: 'case' }] as const;
    await killAmidst(...undo);
    await ok(...undo);
    const given = (await ok(...merge))['mergeId'];
    expect(given).toBe(mergeId);
    const pointsLeft = async () =>
      (await restAs(service.baseUrl, tenant)('GET', `/loyalty/accounts/${guest}/points`)).body;
    expect(await pointsLeft()).toMatchObject({ available: 10 });

    const named = { programmaticCode: 'VISIT', triggerOperationId: 'visit', operationId: 'back' };
    const reversal = ['/gamification/triggers/reversals', named] as const;
    await killAmidst(...reversal);
    const reversed = await ok(...reversal);
    expect(reversed).toMatchObject({ state: 'REVERSED', missions: [{ completionLost: true }] });
    expect(reversed['rewards']).toHaveLength(4);
    expect(await ok(...reversal)).toEqual(reversed);
    expect(await pointsLeft()).toMatchObject({ available: 0 });
    await expectExact(database.db);
  },
);
