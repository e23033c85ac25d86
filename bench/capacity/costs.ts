import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteOldOperations } from '../../src/idempotency/delete-old-operations.ts';
import { executeSql } from '../support/execute-sql.ts';
import type { Workbench } from '../support/workbench.ts';
import type { WorldRequestOptions } from '../worlds/requests.ts';
import { type After, type Cost, measureCost, type Meters } from './meters.ts';
import type { PurchaseOptions } from './purchase-requests.ts';
import { type TableSize, tableSizes } from './sizes.ts';
import { CODES, type World } from './world.ts';

/** The measured costs of all kinds of work. */
export type Costs = {
  readonly costs: readonly Cost[];
  /** The sizes of the tables at the end. */
  readonly sizes: ReadonlyMap<string, TableSize>;
  /** Tables with retention: full; after a purge and a vacuum; and after as many new rows. */
  readonly forgetting: readonly Forgetting[];
};

/** A table with retention. */
export type Forgetting = {
  readonly table: string;
  readonly full: TableSize;
  readonly forgotten: TableSize;
  readonly again: TableSize;
};

/** Callers for measurements by single requests. */
const BUSY = 128;

/** The share of accounts whose rewards cause a webhook. */
const NOTIFIED_SHARE = 0.2;

/** Seconds until the code is hot. */
const WARM_UP = 4;

/** A kind of request, and its number of callers. */
type Single = { readonly source: string; readonly options: object; readonly connections: number };

/** The amount of work. */
export type Amounts = { readonly accountCount: number; readonly events: number; readonly seconds: number };

/** Measures one kind of work after the other. */
export async function measureCosts(
  { folder }: Workbench,
  world: World,
  meters: Meters,
  { accountCount, events, seconds }: Amounts,
): Promise<Costs> {
  const { admin, tenant } = world;
  const keys = join(folder, 'keys.json');
  await writeFile(keys, JSON.stringify([tenant.apiKey]));
  const costs: Cost[] = [];
  const measure = async (name: string, work: () => Promise<number>, after?: After) => {
    const cost = await measureCost(meters, name, work, after);
    console.log(lineOf(cost));
    costs.push(cost);
  };
  const single = (connections: number, path?: string): Single => {
    const options: WorldRequestOptions = { keys, accountCount, path };
    return { source: import.meta.resolve('../worlds/requests.ts'), options, connections };
  };
  const measureSingle = async (name: string, { source, options, connections }: Single) => {
    await world.requests(source, options, connections, WARM_UP);
    await measure(name, () => world.requests(source, options, connections, seconds));
  };

  await world.eventOfEach(CODES.moves, 0, accountCount / 10);
  await measure('first event of an account', () => world.eventOfEach(CODES.moves, accountCount / 10, accountCount));
  await executeSql(world.databaseUrl, ['vacuum analyze']);
  await measure('event, 200 in a request, pages new', () => world.eventsAtRandom(CODES.moves, events), 'checkpoint');
  await measure('event, 200 in a request', () => world.eventsAtRandom(CODES.moves, events));
  await measureSingle('event, 128 callers', single(BUSY));
  await measureSingle('event, 8 callers', single(8));
  await measureSingle('event, one caller', single(1));
  await measure('event that earns points', () => world.eventOfEach(CODES.earns, 0, accountCount));
  await admin('PUT', '/webhooks/rewards', {
    endpoint: world.receivers.endpointOf('capacity'),
    signed: true,
    authenticationMethodType: 'HEADER',
    authenticationMethodKey: 'x-webhook-token',
    authenticationValue: 'a secret of thirty-two characters',
  });
  await measure('event that earns points and sends a webhook', async () => {
    const count = await world.eventOfEach(CODES.notifies, 0, accountCount * NOTIFIED_SHARE);
    await world.untilSent();
    await world.receivers.arrivals(count);
    return count;
  });
  const product = await admin('POST', '/admin/products', {
    name: 'Coffee',
    stockMode: 'COUNTED',
    stock: 100_000_000,
    pointsCost: 0.01,
  });
  const purchases: PurchaseOptions = { apiKey: tenant.apiKey, productId: product.id, accountCount };
  const source = import.meta.resolve('./purchase-requests.ts');
  await measureSingle('purchase, 128 callers', { source, options: purchases, connections: BUSY });
  await measureSingle('feed, 64 callers', single(64, '/v1/feed/account/{id}'));
  await measureSingle('points, 64 callers', single(64, '/loyalty/accounts/{id}/points'));
  await measureSingle('earned rewards, 64 callers', single(64, '/v1/gamification/missions/my-rewards/{id}'));
  const sizes = await tableSizes(world.db);
  return { costs, sizes, forgetting: await measureForgetting(world) };
}

/** Measures the space after a purge, and whether new rows reuse it. */
async function measureForgetting(world: World): Promise<Forgetting[]> {
  const table = 'operation';
  const full = (await tableSizes(world.db)).get(table)!;
  await deleteOldOperations(world.db, world.tenant.clientId, new Date(Date.now() + 60_000));
  await executeSql(world.databaseUrl, ['vacuum operation']);
  const forgotten = (await tableSizes(world.db)).get(table)!;
  await world.eventsAtRandom(CODES.moves, full.rows);
  const again = (await tableSizes(world.db)).get(table)!;
  return [{ table, full, forgotten, again }];
}

function lineOf({ name, count, serviceMicros, postgresMicros, walBytes, fullPages }: Cost): string {
  const figures = [serviceMicros, postgresMicros, walBytes].map((figure) => figure.toFixed(0)).join(' / ');
  return `${name}: ${count}; service µs / PostgreSQL µs / WAL bytes: ${figures}; whole pages ${fullPages.toFixed(3)}`;
}
