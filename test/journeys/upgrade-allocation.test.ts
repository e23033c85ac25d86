// In release 0.1.0, publications could offer more units than their product has. docs/decisions/0047 decides the upgrade of such data.
import { Writable } from 'node:stream';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { resumeRestocks } from '../../src/rewards/delivery/restock.ts';
import { type Played, releasedDatabase } from '../support/released-database.ts';
import { releasedService } from '../support/released-service.ts';
import type { Rest, TestService } from '../support/service.ts';

/** Ids that contain the name of their resource. */
const id = (kind: string, number: number) =>
  `00000000-0000-7000-8000-${kind}${String(number).padStart(12 - kind.length, '0')}`;
const mug = id('a', 1);
const code = id('a', 2);
const puzzle = id('a', 3);
const plenty = id('a', 4);
const endless = id('a', 5);
const agreement = id('b', 1);
const draft = id('c', 1);
const sold = id('c', 2);
const shared = id('c', 3);
const coded = id('c', 4);
const puzzles = id('c', 5);
const roomy = id('c', 6);
const boundless = id('c', 7);
const [due, oldest, tooLarge, small] = [id('d', 1), id('d', 2), id('d', 3), id('d', 4)];

let service: TestService;
let played: Played;
let rest: Rest;
let before: unknown;
let afterwards: unknown;

/** The decisions of the migration, from its log. */
const decisions: string[] = [];
const logger = pino(
  { level: 'warn' },
  new Writable({
    write(line, _encoding, done) {
      decisions.push((JSON.parse(String(line)) as { decision: string }).decision);
      done();
    },
  }),
);

/** One example of each case, as 0.1.0 would have stored it. */
async function overpromise(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ client_id: string; id: string }>(
    `select client_id, id from account where external_id = 'ada'`,
  );
  const [{ client_id: clientId, id: ada }] = rows as [{ client_id: string; id: string }];
  const insert = (table: string, fields: Record<string, unknown>) => {
    const names = Object.keys(fields);
    const marks = names.map((_, index) => `$${index + 2}`).join(', ');
    return client.query(`insert into ${table} (client_id, ${names.join(', ')}) values ($1, ${marks})`, [
      clientId,
      ...Object.values(fields),
    ]);
  };
  const product = (own: string, stockMode: string, stock: number, more: object = {}) =>
    insert('product', {
      id: own,
      name: `Product ${own.slice(-1)}`,
      stock_mode: stockMode,
      stock,
      units_added: stock,
      ...more,
    });
  const offer = (own: string, productId: string, stock: number, more: object = {}) =>
    insert('publication', {
      id: own,
      product_id: productId,
      name: `Offer ${own.slice(-1)}`,
      stock,
      units_added: stock,
      status: 'PUBLISHED_ON_MARKETPLACE',
      pause_reason: 'NONE',
      created_at: `2026-01-0${own.slice(-1)}`,
      ...more,
    });
  const held = (own: string, publication: string, quantity: number, more: object = {}) =>
    insert('reservation', {
      id: own,
      publication_id: publication,
      account_id: ada,
      quantity,
      status: 'ACTIVE',
      expires_at: '2999-01-01',
      created_at: `2026-02-0${own.slice(-1)}`,
      ...more,
    });
  const earned = (number: number, productId: string, amount: number, more: object = {}) =>
    insert('earned_reward', {
      id: id('e', number),
      account_id: ada,
      reward_id: id('f', number),
      reward_type: 'PRODUCTS',
      amount,
      status: 'PENDING_STOCK',
      queue_position: number,
      product_id: productId,
      ...more,
    });

  // 8 units: 17 are offered, 11 of them reserved, and two rewards wait.
  await product(mug, 'COUNTED', 8, { waiting: 2 });
  await insert('agreement', { id: agreement, name: 'Supplier', stock: 9, reserved: 7, units_added: 9 });
  await offer(draft, mug, 4, { status: 'DRAFT', pause_reason: null });
  await offer(sold, mug, 5, { reserved: 4 });
  await offer(shared, mug, 8, { reserved: 7, agreement_id: agreement });
  await held(due, sold, 1, { expires_at: '2026-02-02' });
  await held(oldest, sold, 2);
  await held(tooLarge, shared, 7, { agreement_id: agreement, created_at: '2026-02-03T12:00:00Z' });
  await held(small, sold, 1, { created_at: '2026-02-04' });
  await earned(1, mug, 1);
  await earned(2, mug, 1);
  // 2 codes, 5 offered.
  await product(code, 'CODES', 2);
  await insert('product_item', { id: code, product_id: code, name: 'An item' });
  for (const number of [1, 2]) {
    await insert('product_code', { id: id('9', number), product_id: code, item_id: code, code: `CODE-${number}` });
  }
  await offer(coded, code, 5);
  // 3 units, 3 offered, and waiting fragments that make two units.
  await product(puzzle, 'COUNTED', 3, { waiting: 2, fragments_required: 3 });
  await earned(3, puzzle, 2, { reward_type: 'FRAGMENTS', status: 'DELIVERED', queue_position: null });
  await insert('fragment_balance', { account_id: ada, product_id: puzzle, pieces: 2 });
  await earned(4, puzzle, 1, { reward_type: 'FRAGMENTS' });
  await earned(5, puzzle, 3, { reward_type: 'FRAGMENTS' });
  await offer(puzzles, puzzle, 3);
  // This product needs no decision.
  await product(plenty, 'COUNTED', 10);
  await offer(roomy, plenty, 4);
  await product(endless, 'UNLIMITED', 0);
  await offer(boundless, endless, 1_000);
  before = await untouched((sql) => client.query(sql).then((answer) => answer.rows));
}

/** The data that the upgrade must not change: states, and announcements. */
async function untouched(query: (sql: string) => Promise<unknown[]>): Promise<unknown> {
  return [
    await query('select id, status, pause_reason, status_changed_at from publication order by id'),
    await query('select id from outbox_message order by id'),
    await query('select id, status from earned_reward order by id'),
  ];
}

const query = <Row extends object>(sql: string) => service.db.unitOfWork(played.clientId, (uow) => uow.query<Row>(sql));

beforeAll(async () => {
  const released = await releasedDatabase('v0.1.0', { prepare: overpromise, logger });
  played = released.played;
  // Before the service continues with events that 0.1.0 had accepted.
  const { db } = released.database;
  afterwards = await untouched((sql) => db.unitOfWork(played.clientId, (uow) => uow.query(sql)));
  ({ service, rest } = await releasedService(released));
}, 60_000);
afterAll(() => service.close());

const units = async (productId: string) => {
  const { stock, allocated, free } = (await rest('GET', `/admin/products/${productId}`)).body;
  return [stock, allocated, free];
};
const offered = async (publicationId: string) => {
  const { stock, availableStock } = (await rest('GET', `/admin/publications/${publicationId}`)).body;
  return [stock, availableStock];
};

test('the oldest reservations keep their units whole, then rewards that wait, then what is published, then drafts', async () => {
  // 8 units: 2 and 1 reserved, 2 for rewards, 2 for the older publication, 1 for the other, none for the draft.
  expect(await offered(sold)).toEqual([5, 2]);
  expect(await offered(shared)).toEqual([1, 1]);
  expect(await offered(draft)).toEqual([0, 0]);
  expect(await units(mug)).toEqual([8, 6, 2]);
  expect(await query("select id, status from reservation where id::text like '00000000-%' order by id")).toEqual([
    { id: due, status: 'EXPIRED' },
    { id: oldest, status: 'ACTIVE' },
    { id: tooLarge, status: 'EXPIRED' },
    { id: small, status: 'ACTIVE' },
  ]);
  expect((await rest('GET', `/admin/agreements/${agreement}`)).body).toMatchObject({ stock: 9, availableStock: 9 });
});

test('of a product with codes as many are for sale as are free', async () => {
  expect(await offered(coded)).toEqual([2, 2]);
  expect(await units(code)).toEqual([2, 2, 0]);
});

test('pieces that wait count as the units that they make with those that are held', async () => {
  expect(await units(puzzle)).toEqual([3, 1, 2]);
});

test('what fits stays as it is, also what 0.1.0 was played with', async () => {
  expect([await offered(roomy), await units(plenty)]).toEqual([
    [4, 4],
    [10, 4, 6],
  ]);
  expect(await offered(boundless)).toEqual([1_000, 1_000]);
  const { rows } = (await rest('GET', '/admin/products/paginated?page=1&limit=100')).body;
  const coupon = rows.find(({ name }: { name: string }) => name === 'Coffee coupon');
  expect(coupon).toMatchObject({ stock: 49, allocated: 20, free: 29 });
});

test('no publication or reward changes its state, and nothing is announced', () => {
  expect(afterwards).toEqual(before);
});

test('every reward that waits knows how many units it needs, pieces with those that are held', async () => {
  const rows = await query(
    `select id, units_needed from earned_reward where status = 'PENDING_STOCK' and id::text like '00000000-%' order by id`,
  );
  expect(rows).toEqual([1, 2, 4, 5].map((number) => ({ id: id('e', number), units_needed: 1 })));
});

test('every decision is logged once and stands in the audit log', async () => {
  const logged = new Set(decisions.map((line) => /(reservation|publication) \S+/.exec(line)?.[0]));
  expect(decisions).toHaveLength(logged.size);
  expect(logged).toEqual(
    new Set([
      `reservation ${tooLarge}`,
      ...[draft, shared, coded, puzzles].map((publication) => `publication ${publication}`),
    ]),
  );
  expect(decisions.find((line) => line.includes(`reservation ${tooLarge}`))).toContain('7 units');
  expect(decisions.find((line) => line.includes(`: publication ${shared}`))).toContain('has 1 units instead of 8');
  const entries = (await rest('GET', '/admin/audit/paginated?page=1&limit=100')).body.rows;
  const entry = entries.find(({ resourceId }: { resourceId: string }) => resourceId === shared);
  expect(entry).toMatchObject({
    actorName: 'upgrade',
    before: { stock: 8 },
    after: { stock: 1 },
    note: expect.stringContaining('1 reservations have lapsed'),
  });
});

test('the books are exact, and deciding again changes nothing', async () => {
  expect(await differencesOf(service.db, played.clientId)).toEqual([]);
  const rows = () => query('select id, stock, reserved, units_added from publication order by id');
  const first = await rows();
  await service.db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    await uow.query('alter table product drop column allocated');
    await uow.query(`delete from migration where name like '%-allocation'`);
  });
  decisions.length = 0;
  expect(await migrate(service.databaseUrl, logger)).toHaveLength(1);
  expect(decisions).toEqual([]);
  expect(await rows()).toEqual(first);
  expect(await differencesOf(service.db, played.clientId)).toEqual([]);
});

test('what was promised is kept: who holds units buys them, and who waits gets theirs', async () => {
  const buyer = { accountId: 'ada', idType: 'EXTERNAL' };
  const bought = await rest('POST', `/marketplace/publications/redeem/${sold}`, { ...buyer, quantity: 3 });
  expect(bought).toMatchObject({ status: 200, body: { quantity: 3 } });
  expect(await resumeRestocks(service.db, played.clientId, new Date())).toBe(4);
  expect(await units(mug)).toEqual([3, 3, 0]);
  expect(await units(puzzle)).toEqual([1, 1, 0]);
  expect(await differencesOf(service.db, played.clientId)).toEqual([]);
});
