import { createCatalogs } from '../../src/campaigns/catalog/catalog.ts';
import { partsOfAccount } from '../../src/app/parts-of-account.ts';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { scheduledJobs } from '../../src/housekeeping/scheduled-jobs.ts';
import { type ScheduledJob, createHousekeeping, type Housekeeping } from '../../src/housekeeping/housekeeping.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import type { Database } from '../../src/persistence/database.ts';
import { customer, newOffer, stateOf } from '../operations/marketplace/shop.ts';
import { holdAccount } from '../operations/triggers/inbox-fixture.ts';
import { newGame, newProduct } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';

const DAY = 86_400_000;

let service: TestService;
let running: Housekeeping[] = [];

beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  await Promise.all(running.map((housekeeping) => housekeeping.stop()));
  running = [];
});
afterAll(() => service.close());

/** Housekeeping of another process on the same database, all jobs at once, again and again. */
function tidy(list: readonly ScheduledJob[], now = new Date()): Housekeeping {
  const often = list.map((job) => ({ ...job, everyMs: 5 }));
  const { db } = service;
  const housekeeping = createHousekeeping({
    db,
    jobs: often,
    clock: () => now,
    logger: pino({ level: 'silent' }),
  });
  running.push(housekeeping);
  housekeeping.start();
  return housekeeping;
}

const everything = () =>
  scheduledJobs(
    { operationDays: 30, deliveryDays: 7, auditDays: 400, journalDays: 7 },
    {
      dispatcher: { wake() {} },
      parts: partsOfAccount,
      catalogs: createCatalogs(),
      secrets: createSecretBox([Buffer.alloc(32, 1)]),
      alerts: { check: () => Promise.resolve(0) },
    },
  );
const rows = (sql: string, clientId = service.clientId) =>
  service.db.unitOfWork(clientId, (uow) => uow.query<{ id: string }>(sql));
const operations = async (clientId: string) =>
  (await rows('select id from operation order by id', clientId)).map(({ id }) => id);

async function storeOperation(clientId: string, id: string, ageDays: number): Promise<void> {
  const at = new Date(Date.now() - ageDays * DAY);
  await service.db.unitOfWork(clientId, (uow) =>
    uow.query(`insert into operation (client_id, id, fingerprint, created_at) values ($1, $2, '', $3)`, [
      clientId,
      id,
      at,
    ]),
  );
}

test('operations are forgotten when their time is up, of every client, and not before', async () => {
  const other = await service.newTenant();
  for (const { clientId } of [service, other]) {
    await storeOperation(clientId, 'old', 31);
    await storeOperation(clientId, 'young', 29);
  }
  tidy(everything());
  for (const { clientId } of [service, other]) {
    await expect.poll(() => operations(clientId), { timeout: 5_000 }).toEqual(['young']);
  }
});

test('more than fits one transaction is forgotten too, by two processes at once', async () => {
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `insert into operation (client_id, id, fingerprint, created_at)
       select $1, 'many-' || n, '', now() - interval '40 days' from generate_series(1, 3500) n`,
      [service.clientId],
    ),
  );
  tidy(everything());
  tidy(everything());
  await expect.poll(() => operations(service.clientId), { timeout: 8_000 }).toEqual(['young']);
});

test('points expire in the ledger of an account that nobody reads', async () => {
  await newGame(service, {
    codes: { GIFT: 'SINGLE' },
    missions: [{ programmaticCode: 'GIFT' }],
    rewards: [{ name: 'Fleeting', type: 'POINTS', amount: 5, expiresInDays: 1 }],
  });
  await service.rest('POST', '/gamification/triggers', {
    programmaticCode: 'GIFT',
    accountId: 'away',
    idType: 'EXTERNAL',
  });
  tidy(everything(), new Date(Date.now() + 2 * DAY));
  await expect
    .poll(() => rows(`select type from point_entry where type = 'EXPIRE'`), { timeout: 5_000 })
    .toHaveLength(1);
});

test('reservations are closed when their time is up, and their units are on offer again', async () => {
  const publicationId = await newOffer(service, { stock: 3 });
  const { body: reservation } = await customer(service, 'hesitant').freeze(publicationId, {
    quantity: 2,
    ttlSeconds: 60,
  });
  tidy(everything(), new Date(Date.now() + 120_000));
  const status = async () => (await rows(`select status as id from reservation where id = '${reservation.id}'`))[0]?.id;
  await expect.poll(status, { timeout: 5_000 }).toBe('EXPIRED');
  expect(await stateOf(service, publicationId)).toMatchObject({ availableStock: 3 });
});

test('what runs often begins no transaction for a client that has nothing due', async () => {
  const [idle, busy] = [await service.newTenant(), await service.newTenant()];
  await service.db.unitOfWork(busy.clientId, async (uow) => {
    const [accountId, lotId] = [randomUUID(), randomUUID()];
    await uow.query('insert into account (client_id, id) values ($1, $2)', [busy.clientId, accountId]);
    await uow.query(
      `insert into point_lot (client_id, id, account_id, amount, remaining, expires_at, created_at)
       values ($1, $2, $3, 5, 5, now() - interval '1 hour', now() - interval '1 day')`,
      [busy.clientId, lotId, accountId],
    );
  });
  const begun: string[] = [];
  const unitOfWork: Database['unitOfWork'] = (clientId, work) => {
    begun.push(clientId);
    return service.db.unitOfWork(clientId, work);
  };
  const jobs = everything().flatMap((job) => (job.due ? [{ ...job, everyMs: 5 }] : []));
  const often = [
    'close expired reservations',
    'resume restocks',
    'count owners of badges',
    'compare accounts',
    'complete lowered missions',
    'expire points',
    'finish erasures',
    'add journal partitions',
    'drop old journal partitions',
    'index the journal',
    'tell of failed sign-ins',
    'tell what needs attention',
    'remove deleted statistics',
    'review levels',
    'announce streaks at risk',
    'remove deleted levels',
    'count past events',
    'rank accounts of new leaderboards',
    'fold ranks',
    'give groups of leagues',
    'close leaderboards',
    'remove deleted leaderboards',
    'rotate keys of account tokens',
    'delete old changes',
  ];
  expect(jobs.map(({ name }) => name).toSorted()).toEqual(often.toSorted());
  const db = { ...service.db, unitOfWork };
  const logger = pino({ level: 'silent' });
  const housekeeping = createHousekeeping({ db, jobs, clock: () => new Date(), logger });
  running.push(housekeeping);
  housekeeping.start();
  await expect.poll(() => begun.includes(busy.clientId)).toBe(true);
  expect(begun).not.toContain(idle.clientId);
});

test('the log of webhooks goes when its time is up', async () => {
  const log = (id: string) =>
    rows(
      `insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, attempted_at, duration_ms, outcome)
       values ('${service.clientId}', '${id}', gen_random_uuid(), 'REWARDS', 1, 'POST', 'http://a', now(), 1, 'DELIVERED')`,
    );
  await log('0195450d-8000-7000-8000-000000000000');
  tidy(everything());
  await expect.poll(() => rows('select id from webhook_delivery'), { timeout: 5_000 }).toEqual([]);
});

test('a restock that a crash cut short goes on', async () => {
  const productId = await newProduct(service, []);
  await newGame(service, {
    codes: { WAIT: 'SINGLE' },
    missions: [{ programmaticCode: 'WAIT' }],
    rewards: [{ name: 'Coupon', type: 'PRODUCTS', amount: 1, productId }],
  });
  await service.rest('POST', '/gamification/triggers', {
    programmaticCode: 'WAIT',
    accountId: 'patient',
    idType: 'EXTERNAL',
  });
  // The state after a first transaction that added the unit, without a second.
  await service.db.unitOfWork(service.clientId, async (uow) => {
    const [item] = await uow.query<{ id: string }>('select id from product_item where product_id = $1', [productId]);
    await uow.query(
      `insert into product_code (client_id, id, product_id, item_id, code) values ($1, gen_random_uuid(), $2, $3, 'LATE-1')`,
      [service.clientId, productId, item!.id],
    );
    await uow.query('update product set stock = 1, units_added = units_added + 1 where id = $1', [productId]);
  });
  tidy(everything());
  const earned = async () => {
    const { body } = await service.rest('GET', '/v1/gamification/missions/my-rewards/patient?idType=EXTERNAL');
    return body.map((reward: { status: string }) => reward.status);
  };
  await expect.poll(earned, { timeout: 5_000 }).toEqual(['DELIVERED']);
});

test('one client whose job fails does not keep it from the others, nor from the next round', async () => {
  const other = await service.newTenant();
  const done: string[] = [];
  const job = {
    name: 'fails for one',
    everyMs: 5,
    async run(_: unknown, clientId: string) {
      if (clientId === service.clientId) throw new Error('not today');
      done.push(clientId);
      return 0;
    },
  };
  tidy([job]);
  await expect.poll(() => done.filter((id) => id === other.clientId).length, { timeout: 5_000 }).toBeGreaterThan(2);
});

test('a row that somebody holds keeps a job from its own client only, and is dealt with when it is free', async () => {
  const other = await service.newTenant();
  await service.rest('POST', '/accounts/resolve', { externalId: 'in-use' });
  const release = await holdAccount(service, 'in-use');
  const done = new Set<string>();
  const job: ScheduledJob = {
    name: 'locks accounts',
    everyMs: 5,
    async run(db, clientId) {
      await db.unitOfWork(clientId, (uow) =>
        uow.query(`select from account where client_id = $1 and external_id = 'in-use' for update`, [clientId]),
      );
      done.add(clientId);
      return 0;
    },
  };
  tidy([job]);
  await expect.poll(() => done.has(other.clientId), { timeout: 8_000 }).toBe(true);
  expect(done.has(service.clientId)).toBe(false);
  await release();
  await expect.poll(() => done.has(service.clientId), { timeout: 8_000 }).toBe(true);
});

test('stop waits for the transaction that runs and begins no other', async () => {
  let begun = 0;
  let ended = 0;
  const started = Promise.withResolvers<void>();
  const job: ScheduledJob = {
    name: 'endless',
    everyMs: 5,
    async run(db, clientId) {
      for (;;) {
        await db.unitOfWork(clientId, async (uow) => {
          begun += 1;
          await uow.query('select pg_sleep(0.05)');
          started.resolve();
          ended += 1;
        });
      }
    },
  };
  const housekeeping = tidy([job]);
  await started.promise;
  await housekeeping.stop();
  expect(ended).toBe(begun);
  await service.db.systemUnitOfWork((uow) => uow.query('select pg_sleep(0.1)'));
  expect(begun).toBe(ended);
});
