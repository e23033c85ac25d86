import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../../gen/routes.ts';
import { hasSample, nameOf, restRequest, samplesOf } from '../../contract/support/requests.ts';
import { newWorld, tokenFor, type World } from '../../contract/support/world.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { listOrders } from '../../../src/console/table/list-orders.ts';
import { addHostileRows } from './hostile-rows.ts';

type Row = Record<string, unknown> & { id: string };

const ROWS = 60;

/** Lists whose `createdAt` or `attemptedAt` has the order of their UUIDv7, or of the queue. */
const BY_ID =
  /\.(listCampaigns|listMissions|listAuditEntries|listAllReservations|listPurchases|listProductCodes|listWebhookDeliveries|listWaitingWebhooks|listAudienceMembers|listCampaignAccounts|listRewardEarnedRewards|listProductRedemptions)$/;

// A list by rank has one order.
const lists = routes.filter(({ path }) => path.endsWith('/paginated') && !path.endsWith('/entries/paginated'));

let service: TestService;
let tenant: Tenant;
let world: World;

beforeAll(async () => {
  service = await startService();
  tenant = await service.newTenant();
  world = await newWorld(service, tenant, 'SAME');
  await addHostileRows(service.db, tenant.clientId, ROWS);
  // Another client with resources of the same names.
  const other = await service.newTenant();
  await newWorld(service, other, 'SAME');
  await addHostileRows(service.db, other.clientId, 20);
}, 120_000);
afterAll(() => service.close());

const requestOf = (route: (typeof lists)[number], more: Record<string, unknown>) => {
  const sample = samplesOf(route)[0]!;
  return restRequest(route, { ...sample(world), ...more });
};

async function page(route: (typeof lists)[number], more: Record<string, unknown>) {
  const { method, path } = requestOf(route, more);
  // The list of clients is for service administrators only.
  const token = path.startsWith('/admin/clients') ? service.serviceToken : tokenFor(tenant, path);
  return service.rest(method, path, undefined, token);
}

/** The fields by which the list can be ordered, according to its description. */
async function orders(route: (typeof lists)[number]): Promise<string[]> {
  const { status, body } = await page(route, { orderBy: 'nothing of the sort' });
  expect(status, nameOf(route)).toBe(400);
  return body.message.split(': ').at(-1).replace(/\.$/, '').split(', ');
}

async function walk(route: (typeof lists)[number], more: Record<string, unknown>, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let number = 1, next = true; next; number += 1) {
    const { status, body } = await page(route, { ...more, page: number, limit });
    expect(status, JSON.stringify(body)).toBe(200);
    rows.push(...body.rows.map((row: { account?: Row } & Row) => ({ ...row, id: row.id ?? row.account?.id })));
    next = body.next;
    if (!next) expect(rows).toHaveLength(body.totalRows);
  }
  return rows;
}

/** A time with all its decimals; other texts unchanged. */
function comparable(value: unknown): string {
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text).toISOString() : text;
}

/** Orders by the value, as PostgreSQL compares bytes, then by id; missing values come last. */
function naive(rows: readonly Row[], field: string, descending: boolean): string[] {
  const sign = descending ? -1 : 1;
  const compared = (one: unknown, other: unknown) =>
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : Buffer.compare(Buffer.from(comparable(one)), Buffer.from(comparable(other)));
  return rows
    .toSorted((a, b) => {
      const [one, other] = [a[field] ?? null, b[field] ?? null];
      if ((one === null) !== (other === null)) return one === null ? 1 : -1;
      return sign * ((one === null ? 0 : compared(one, other)) || compared(a.id, b.id));
    })
    .map(({ id }) => id);
}

describe.each(lists.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  test('gives every row once in each of its orders, both ways, and names them where another is asked for', async () => {
    expect(hasSample(route)).toBe(true);
    const rows = await walk(route, {}, 1_000);
    // Attributes that a client declares are neither in the console's list nor in the description.
    const possible = (await orders(route)).filter((field) => !field.startsWith('attributes.'));
    const described = route.rpc.input.fields.find(({ localName }) => localName === 'orderBy');
    expect(described, 'a list has orderBy').toBeDefined();
    if (name.includes('Admin') || name === 'AccountService.listAccounts') {
      expect(listOrders[route.rpc.localName], 'src/console/table/list-orders.ts').toEqual(possible);
    }
    for (const field of possible) {
      for (const direction of ['', ' desc']) {
        const expected = name.endsWith('listPendingRewards')
          ? (direction === '' ? rows : rows.toReversed()).map(({ id }) => id)
          : naive(rows, BY_ID.test(name) && /^(created|attempted)At$/.test(field) ? 'id' : field, direction !== '');
        const got = (await walk(route, { orderBy: `${field}${direction}` }, 7)).map(({ id }) => id);
        expect(got, `${field}${direction}`).toEqual(expected);
      }
    }
  });
});

describe('The search of accounts', () => {
  const query = (search: string, more: Record<string, string> = {}, token = '') =>
    service.rest(
      'GET',
      `/accounts/paginated?${new URLSearchParams({ page: '1', limit: '10', search, ...more })}`,
      undefined,
      token,
    );

  test('finds a whole id, a whole external id or how it begins, and part of an e-mail or a name; whole ids first', async () => {
    const one = await service.newTenant();
    const add = async (body: object) => (await service.rest('POST', '/accounts', body, one.apiKey)).body.id as string;
    const named = await add({ externalId: 'x-1', name: 'the 4711 Club' });
    const begins = await add({ externalId: '4711-b', email: 'a%b@example.com' });
    const whole = await add({ externalId: '4711' });
    await add({ name: 'Nobody' });
    const found = async (search: string, more?: Record<string, string>) =>
      (await query(search, more, one.apiKey)).body.rows.map((row: Row) => row.id);
    expect(await found('4711')).toEqual([whole, named, begins]);
    expect(await found(' 4711 ', { orderBy: 'createdAt desc' })).toEqual([whole, begins, named]);
    expect(await found('4711', { orderBy: 'name' })).toEqual([whole, named, begins]);
    expect(await found(named.toUpperCase())).toEqual([named]);
    expect(await found('%B@')).toEqual([begins]);
    expect(await found('CLUB')).toEqual([named]);
    expect(await found('711')).toEqual([named]);
    expect(await found('_')).toEqual([]);
    expect(await found('')).toHaveLength(4);
    const pages = [];
    for (const page of ['1', '2', '3']) pages.push(...(await found('4711', { page, limit: '1' })));
    expect(pages).toEqual([whole, named, begins]);
    const { body } = await query('4711', { limit: '1' }, one.apiKey);
    expect(body).toMatchObject({ totalRows: 3, totalPages: 3, next: true });
  });

  test("finds nothing of another client's", async () => {
    const one = await service.newTenant();
    const two = await service.newTenant();
    const { body } = await service.rest('POST', '/accounts', { externalId: 'only-here', name: 'Only' }, one.apiKey);
    for (const search of ['only-here', 'Only', body.id]) {
      expect((await query(search, {}, two.apiKey)).body).toMatchObject({ rows: [], totalRows: 0 });
    }
  });

  test('and the order refuse what they cannot be, with what to send instead', async () => {
    const refused = await query('x', { orderBy: 'password desc' }, tenant.apiKey);
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(refused.body.message).toContain('createdAt, externalId, email, name');
    for (const orderBy of ['createdAt down', 'createdAt, name', "name'; select 1", 'constructor', '-createdAt']) {
      expect(await query('x', { orderBy }, tenant.apiKey), orderBy).toMatchObject({ status: 400 });
    }
  });
});

test('the file of accounts holds those that the list does, in its order', async () => {
  const one = await service.newTenant();
  for (const name of ['b1', 'a1', 'c1', 'zz']) await service.rest('POST', '/accounts', { name }, one.apiKey);
  const path = '/admin/exports/accounts.csv?search=1&orderBy=name%20desc';
  const answer = await fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${one.adminToken}` } });
  const lines = (await answer.text()).trimEnd().split('\r\n').slice(1);
  expect(lines.map((line) => line.split(',')[3])).toEqual(['c1', 'b1', 'a1']);
});
