import { randomUUID } from 'node:crypto';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import type { Route } from '../../src/gateway/route.ts';
import { type Fields, hasSample, nameOf, restRequest, samplesOf } from '../contract/support/requests.ts';
import { newWorld, tokenFor, type World } from '../contract/support/world.ts';
import { deliver, reward } from '../operations/rewards/provision.ts';
import { newGame } from '../support/game.ts';
import { startService, type Tenant, type TestService } from '../support/service.ts';
import { expectExact } from './support/expect-exact.ts';
import { untouchedThings } from './support/untouched-things.ts';
import { COMMIT, type Moment, type SeveringProxy, severingProxy } from '../support/severing-proxy.ts';

let service: TestService;
let proxy: SeveringProxy;
/** The tables with rows of clients. */
let tables: string[];

beforeAll(async () => {
  service = await startService({
    async through(databaseUrl) {
      proxy = await severingProxy(databaseUrl);
      return proxy.url;
    },
  });
  const found = await service.db.systemUnitOfWork((uow) =>
    uow.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where a.attname = 'client_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
          and c.relname <> 'statistic_hour'`,
    ),
  );
  tables = found.map(({ name }) => name);
});
afterAll(async () => {
  await service.close();
  await proxy.close();
});

/**
 * The order of the operations: all use the same resources, so deletions are last. Before them come operations that leave background work,
 * because the test must not cut the commits of that work.
 */
const LATE = [
  // It makes an undo of an earlier merge impossible.
  /mergeAccounts/,
  /WebhookService|emitTriggerAsync|replayDead/,
  // They stop the account that the others use, and take back what these name.
  /suspendAccount|resumeAccount|reverseTriggersOfAccount/,
  /\.(discard|end|remove(?!Account$)|revoke)/,
  /\.deleteAccount/,
  /\.removeAccount$/,
  // Its import is taken back in the background.
  /reverseImport/,
];
const lateness = (name: string) => LATE.findIndex((pattern) => pattern.test(name));

/**
 * Transactions of the service that the test does not cut: it looks up a credential and records its use, claims and settles webhooks, and
 * applies asynchronous events, and numbers changes.
 */
const BY_ITSELF = new RegExp(
  [
    'from credential where client_id = owner_id and hash',
    'update credential c set last_used_at',
    'from outbox_message o\\s+join',
    'insert into webhook_delivery',
    'trigger_batch',
    'from change_feed where client_id = \\$1 for update skip locked',
    'from trigger_inbox\\s+where client_id = \\$1 and id >?= \\$2 and dead_at is null',
  ].join('|'),
);

/**
 * Services without a test here: those of service administrators, which use no client's transaction; those of users, which these clients do
 * not have; and redelivery, which needs a webhook that all other operations would call too.
 */
const OTHERS = /^((Client|Session)(Admin)?|WebhookAdmin)Service$/;

/** Whether an operation commits nothing: a read, or a simulation that is rolled back. */
const isRead = ({ httpMethod, rpc }: Route) =>
  httpMethod === 'GET' || rpc.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;

/** All operations except reads. */
const changing = routes
  .filter((route) => !isRead(route) && !OTHERS.test(route.rpc.parent.name) && hasSample(route))
  // A second path of the same operation makes the same commit.
  .filter((route, index, all) => all.findIndex(({ rpc }) => rpc === route.rpc) === index)
  .map((route) => [nameOf(route), route] as const)
  .toSorted(([a], [b]) => lateness(a) - lateness(b));

describe.each<[string, Moment]>([
  ['is answered, and the answer lost', 'answered'],
  ['never reaches the database', 'unheard'],
])('a COMMIT that %s', (_words, moment) => {
  let tenant: Tenant;
  let world: World;
  /** Other fields, for operations that the world in its present state would refuse. */
  let instead: Readonly<Record<string, Fields>>;

  beforeAll(async () => {
    tenant = await service.newTenant();
    world = await newWorld(service, tenant, moment.toUpperCase());
    instead = { ...(await newThings(tenant, world)), ...(await untouchedThings(service, tenant, world)) };
    for (const type of ['rewards', 'publication-status']) {
      await service.rest('DELETE', `/webhooks/${type}`, undefined, tenant.adminToken);
    }
  });

  const cases = changing.flatMap(([name, route]) =>
    samplesOf(route).map((sample, index) => [name, index + 1, route, sample] as const),
  );
  test.each(cases)(
    'is answered with 503 by %s (%i), and what can be repeated is done once',
    async (name, index, route, sample) => {
      const operationId = randomUUID();
      const fields = { ...sample(world), ...(instead[name] ?? instead[`${name} (${index})`]) };
      const request = identified(route, fields, operationId);
      const before = await stored(tenant);
      proxy.severAt(COMMIT, moment, tenant.clientId, BY_ITSELF);
      const cut = await ask(tenant, route, request ?? fields);
      // A batch has an error for each event.
      expect(cut.body.results?.[0].error ?? cut.body).toMatchObject({ statusCode: 503, code: 'DATABASE_UNAVAILABLE' });
      expect(proxy.armed).toBe(false);
      const after = await stored(tenant);
      if (moment === 'unheard') expect(after).toEqual(before);
      if (request === undefined) return;

      const repeated = await askUntilSettled(tenant, route, request);
      expect(repeated).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
      const once = await stored(tenant);
      expect(once).not.toEqual(before);
      if (moment === 'answered') expect(once).toEqual(after);
      const again = await ask(tenant, route, request);
      expect(again.status).toBe(repeated.status);
      // A backfill says which events were known before.
      if (!isIdempotent(route) && name !== 'TriggerService.backfillTriggers') expect(again.body).toEqual(repeated.body);
      expect(await stored(tenant)).toEqual(once);
    },
  );
});

test('a connection that is cut on this side alone keeps neither the operation id nor the account', async () => {
  const tenant = await service.newTenant();
  const { adminToken, apiKey } = tenant;
  await newGame(service, { adminToken, missions: [{ target: 3 }] });
  const event = { programmaticCode: 'LOGIN', accountId: 'cut', idType: 'EXTERNAL', metadata: {} };
  const emit = async (operationId: string) => {
    for (;;) {
      const answer = await service.rest('POST', '/gamification/triggers', { ...event, operationId }, apiKey);
      if (answer.body?.code !== 'OPERATION_IN_PROGRESS') return answer;
    }
  };
  proxy.severAt(COMMIT, 'half', tenant.clientId, BY_ITSELF);
  const operationId = randomUUID();
  expect(await emit(operationId)).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } });
  expect(proxy.armed).toBe(false);
  const begun = performance.now();
  const [repeated, other] = await Promise.all([emit(operationId), emit(randomUUID())]);
  // A tenth of a second on an idle machine; PostgreSQL alone would need 15 s.
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect([repeated.status, other.status]).toEqual([200, 200]);
  const feed = await service.rest('GET', '/v1/feed/account/cut?idType=EXTERNAL', undefined, apiKey);
  expect(feed.body[0].progress).toBe(2);
});

test('after all of them the accounts of both clients are exact', () => expectExact(service.db));

/**
 * A claimable campaign, a mission that events still move, a stock without codes, an account that is used nowhere else, and a waiting reward
 * that can be delivered.
 */
async function newThings(
  { adminToken, clientId }: Tenant,
  { name, account, chestDefinition, publication }: World,
): Promise<Record<string, Fields>> {
  const post = async (path: string, body: object) => (await service.rest('POST', path, body, adminToken)).body;
  const own = { adminToken, codes: { CLAIM: 'SINGLE', CLAIM_FOR: 'SINGLE' } } as const;
  await newGame(service, { ...own, missions: [{ programmaticCode: name, target: 1_000 }] });
  const campaign = { claimPolicy: 'EXPLICIT' };
  const { campaignId } = await newGame(service, { ...own, campaign, missions: [{ programmaticCode: 'CLAIM' }] });
  await post('/gamification/triggers', { programmaticCode: 'CLAIM', accountId: account });
  const claimedFor = await newGame(service, { adminToken, campaign, missions: [{ programmaticCode: 'CLAIM_FOR' }] });
  await post('/gamification/triggers', { programmaticCode: 'CLAIM_FOR', accountId: account });
  const full = await post('/admin/rewards', { name, type: 'CHEST', amount: 1, chestId: chestDefinition });
  const grant = { rewardId: full.id, reason: 'To be opened.', operationId: randomUUID() };
  await post(`/admin/accounts/${account}/rewards/grant`, grant);
  const chests = await service.rest('GET', `/gamification/chests/account/${account}`, undefined, adminToken);
  const closed = chests.body.find((chest: { openedAt?: string }) => chest.openedAt === undefined);
  const other = await post('/accounts', {});
  const held = await post('/marketplace/publications/freeze', { publicationId: publication, accountId: other.id });
  await service.db.unitOfWork(clientId, (uow) => uow.query('update console_user set second_factor_at = now()'));
  const product = await post('/admin/products', { name, stockMode: 'COUNTED', stock: 5 });
  const spare = await post('/accounts', {});
  // A waiting reward and enough units for it, like in the middle of a restock.
  const scarce = { name, stockMode: 'COUNTED', fragmentsRequired: undefined, pointsCost: undefined } as const;
  const awaited = { ...scarce, id: (await post('/admin/products', scarce)).id as string };
  const order = { accountId: account, reward: reward('PRODUCTS', 1, { product: awaited }), now: new Date() };
  const [waiting] = await deliver(service.db, clientId, [order]);
  await service.db.unitOfWork(clientId, (uow) =>
    uow.query('update product set stock = 1, units_added = 1 where id = $1', [awaited.id]),
  );
  const events = await post('/admin/imports', { type: 'EVENTS', fileName: name });
  await service.db.unitOfWork(clientId, (uow) =>
    uow.query(`update csv_import set status = 'DONE', finished_at = now() where id = $1`, [events.id]),
  );
  const reversals = await Promise.all(
    [1, 2].map(async (index): Promise<[string, Fields]> => {
      const event = { programmaticCode: name, operationId: randomUUID() };
      await post('/gamification/triggers', { ...event, accountId: account });
      const named = { programmaticCode: name, triggerOperationId: event.operationId };
      return [`TriggerService.reverseTriggerBatch (${index})`, { reversals: [named] }];
    }),
  );
  return {
    ...Object.fromEntries(reversals),
    'ImportAdminService.reverseImport': { id: events.id },
    'CampaignService.claimCampaign': { campaignId },
    'AccountAdminService.claimForAccount': { campaignId: claimedFor.campaignId },
    'AccountAdminService.openChestForAccount': { chestId: closed.id },
    'AccountAdminService.releaseReservation': { id: held.id },
    'ProductAdminService.addProductStock': { id: product.id },
    'ProductAdminService.withdrawProductStock': { id: product.id },
    'AccountService.eraseAccount': { id: spare.id },
    'RewardAdminService.deliverPendingReward': { id: waiting!.id },
  };
}

/** The request with an operation id; undefined if the operation takes none. */
function identified({ rpc }: Route, fields: Fields, operationId: string): Fields | undefined {
  if (rpc.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) return undefined;
  for (const [name, value] of Object.entries(fields)) {
    if (['trigger', 'reversal'].includes(name)) return { [name]: { ...(value as object), operationId } };
    if (['triggers', 'reversals'].includes(name)) return { [name]: [{ ...(value as object[])[0], operationId }] };
  }
  return rpc.input.fields.some((field) => field.name === 'operation_id') ? { ...fields, operationId } : undefined;
}

/** Whether an operation is idempotent without an operation id, so that it stores no answer. */
function isIdempotent({ rpc }: Route): boolean {
  return rpc.idempotency === MethodOptions_IdempotencyLevel.IDEMPOTENT;
}

function ask(tenant: Tenant, route: Route, fields: Fields) {
  const { method, path, body } = restRequest(route, fields);
  return service.rest(method, path, body, tokenFor(tenant, path));
}

/** Repeats as the guide asks, because the first attempt holds its id until PostgreSQL notices that the connection is gone. */
async function askUntilSettled(tenant: Tenant, route: Route, fields: Fields) {
  for (;;) {
    const answer = await ask(tenant, route, fields);
    if (answer.body?.code !== 'OPERATION_IN_PROGRESS') return answer;
  }
}

/** The rows of a table as text, without columns that change in the background. */
const ROWS = `array_agg((to_jsonb(x) - 'last_used_at')::text order by to_jsonb(x)::text)`;

/** All rows of the client by table, after background work has ended, without columns that change in the background. */
async function stored({ clientId }: Tenant): Promise<Record<string, string[]>> {
  const underWay = () =>
    service.db.unitOfWork(clientId, (uow) =>
      uow.query(
        `select 1 from outbox_message union all select 1 from trigger_inbox where dead_at is null
          union all select 1 from change_batch where number is null`,
      ),
    );
  await expect.poll(underWay, { timeout: 8_000, interval: 10 }).toEqual([]);
  return service.db.unitOfWork(clientId, async (uow) => {
    const rows = await uow.query<{ name: string; rows: string[] }>(
      tables.map((name) => `select '${name}' as name, ${ROWS} as rows from ${name} x`).join(' union all '),
    );
    return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
  });
}
