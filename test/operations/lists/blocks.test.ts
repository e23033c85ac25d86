import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../../gen/routes.ts';
import { nameOf, restRequest, samplesOf } from '../../contract/support/requests.ts';
import { newWorld, tokenFor, type World } from '../../contract/support/world.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { recordSent, replay } from './blocks.ts';
import { addManyRows, readsByHand } from './many-rows.ts';

/** Blocks for a page of 50 rows; a table of 20,000 has some 400. */
const PAGE_MAX = 300;

/** Blocks for the thirtieth page, which skips 1,450 rows, and may look up related rows of each. */
const THIRTIETH_MAX = 10_000;

/** Lists that people fill by hand are sorted at each read: 2,000 rows. */
const BY_HAND_MAX = 2_500;

/** Blocks for a search or a count: it may look up each of 20,000 rows, but not scan all rows for each. */
const WHOLE_MAX = 150_000;

// A list by rank has one order.
const lists = routes.filter(({ path }) => path.endsWith('/paginated') && !path.endsWith('/entries/paginated'));

let service: TestService;
let tenant: Tenant;
let world: World;
let reader: pg.Client;

beforeAll(async () => {
  service = await startService();
  tenant = await service.newTenant();
  world = await newWorld(service, tenant, 'WORLD');
  await service.db.unitOfWork(tenant.clientId, (uow) => addManyRows(uow, world));
  reader = new pg.Client({ connectionString: service.databaseUrl });
  await reader.connect();
}, 120_000);
afterAll(async () => {
  await reader.end();
  await service.close();
});

async function ask(route: (typeof lists)[number], more: Record<string, unknown>) {
  const { method, path } = restRequest(route, { ...samplesOf(route)[0]!(world), page: 1, limit: 50, ...more });
  // The list of clients is for service administrators only.
  const token = path.startsWith('/admin/clients') ? service.serviceToken : tokenFor(tenant, path);
  return service.rest(method, path, undefined, token);
}

/** The rows of the answer, and the blocks that each of its statements read, independent of other load. */
async function read(route: (typeof lists)[number], more: Record<string, unknown>) {
  const recorder = recordSent();
  const { status, body } = await ask(route, more).finally(recorder.stop);
  expect(status, JSON.stringify(body)).toBe(200);
  const statements = await replay(reader, recorder.sent);
  return { rows: body.rows.length as number, statements };
}

async function orders(route: (typeof lists)[number]): Promise<string[]> {
  const { body } = await ask(route, { orderBy: 'nothing of the sort' });
  return body.message.split(': ').at(-1).replace(/\.$/, '').split(', ');
}

function mostBlocks(sql: string, page: number | undefined): number {
  if (sql.includes('count(')) return WHOLE_MAX;
  // No index can know what a client declares, so an order by an attribute of accounts reads and sorts all of them.
  if (/order by \(case when jsonb_typeof\(attributes/.test(sql)) return WHOLE_MAX;
  if (readsByHand(sql)) return BY_HAND_MAX;
  return page === undefined ? PAGE_MAX : THIRTIETH_MAX;
}

test.each(lists.map((route) => [nameOf(route), route] as const))(
  '%s reads a page and not its table, in any order, though nobody ever analysed it',
  async (name, route) => {
    const ordered = (await orders(route)).flatMap((field) => [{ orderBy: field }, { orderBy: `${field} desc` }]);
    const asked: { orderBy?: string; page?: number }[] = [{}, ...ordered, { page: 30 }];
    for (const more of asked) {
      const { rows, statements } = await read(route, more);
      if (more.page === undefined) expect(rows, name).toBeGreaterThan(0);
      expect(statements.length).toBeGreaterThan(0);
      for (const { sql, blocks } of statements)
        expect.soft(blocks, `${JSON.stringify(more)} ${sql}`).toBeLessThan(mostBlocks(sql, more.page));
    }
  },
);

test.each(
  lists
    .filter((route) => route.rpc.input.fields.some(({ localName }) => localName === 'search'))
    .map((route) => [nameOf(route), route] as const),
)('%s searches without reading all rows for each, though nobody ever analysed them', async (_name, route) => {
  for (const search of [world.name, 'Row 19', 'nowhere', world.account]) {
    const { statements } = await read(route, { search });
    for (const { sql, blocks } of statements) expect.soft(blocks, `${search} ${sql}`).toBeLessThan(WHOLE_MAX);
  }
});
