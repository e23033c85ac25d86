import { differencesOf } from '../../src/commands/verify.ts';
import { executeSql } from '../support/execute-sql.ts';
import { startLoad } from '../support/load.ts';
import type { LoadReport, LoadTask } from '../support/load-protocol.ts';
import type { Pgbench, PgbenchResult } from '../support/pgbench.ts';
import { processMetrics } from '../support/process-metrics.ts';
import type { Workbench } from '../support/workbench.ts';
import { createHand, writeScript } from './by-hand.ts';
import { type Kind, type SetUp, wordsOf } from './kinds.ts';
import type { Side } from './numbers.ts';
import { chooser, type ShopRequestOptions } from './requests.ts';
import { createShop, type Shop } from './world.ts';

/** The measurement, with the processor time of the service in microseconds per call. */
export type Measured = LoadReport & { readonly serviceMicros: number };

/** One kind, over REST and by hand on the same rows. */
export type Contest = {
  overRest(task: LoadTask): Promise<Measured>;
  byHand(task: { readonly clients: number; readonly seconds: number }): Promise<PgbenchResult>;
  /**
   * @throws Error unless all work is in the database exactly once, with correct sums
   */
  verify(): Promise<void>;
};

/** More per second than either side can do of work that can be done once. */
const AT_MOST_PER_SECOND = 15_000;

/** Sets a kind up, and makes one call as an example. */
export async function createContest(workbench: Workbench, pgbench: Pgbench, setUp: SetUp): Promise<Contest> {
  const shop = await createShop(workbench);
  const kind = await setUp(shop);
  const supply = supplier(kind);
  await supply('service', 0, 1);
  const answer = await doExample(shop, kind);
  const words = { ...wordsOf(shop.clientId, answer), ...kind.words };
  const script = await writeScript(workbench, { name: kind.script, words });
  const databaseUrl = await createHand(shop);
  await executeSql(shop.databaseUrl, ['vacuum analyze']);

  const { apiKey, baseUrl, port } = shop;
  const sourceOptions: ShopRequestOptions = { apiKey, path: kind.path, choice: kind.choice };
  const source = import.meta.resolve('./requests.ts');
  const { run, stop } = await startLoad({ host: '127.0.0.1', port, source, sourceOptions });
  workbench.cleanUps.push(stop);
  // The example was the first call.
  const done: Record<Side, number> = { service: 1, hand: 0 };
  return {
    async overRest(task) {
      await supply('service', done.service, task.seconds);
      const before = await processMetrics(baseUrl);
      const report = await run(task);
      const after = await processMetrics(baseUrl);
      done.service += report.answered;
      const seconds = after.processorSeconds - before.processorSeconds;
      return { ...report, serviceMicros: (seconds * 1e6) / report.answered };
    },
    async byHand({ clients, seconds }) {
      await supply('hand', done.hand, seconds);
      const result = await pgbench({ script, databaseUrl, clients, seconds });
      done.hand += result.transactions;
      return result;
    },
    verify: () => verify(shop, kind, done),
  };
}

/** Creates rows for work that can be done once, enough for some seconds. */
function supplier({ add }: Kind): (side: Side, done: number, seconds: number) => Promise<void> {
  const made: Record<Side, number> = { service: 0, hand: 0 };
  return async (side, done, seconds) => {
    const to = done + Math.ceil(seconds * AT_MOST_PER_SECOND);
    if (add === undefined || to <= made[side]) return;
    await add({ side, from: made[side], to });
    made[side] = to;
  };
}

/** Makes one call over REST. Returns the stored answer for repeats, which the by-hand work stores too. */
async function doExample({ call, db, clientId }: Shop, { path, choice }: Kind): Promise<Buffer> {
  const { id, accountId } = chooser(choice, 0)();
  const operationId = 'example';
  await call('POST', path.replace('{id}', id), { accountId, operationId });
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ response: Buffer }>('select response from operation where client_id = $1 and id = $2', [
      clientId,
      operationId,
    ]),
  );
  return row!.response;
}

async function verify({ db, clientId }: Shop, kind: Kind, done: Readonly<Record<Side, number>>): Promise<void> {
  const all = done.service + done.hand;
  for (const sql of [kind.done, 'select count(*) from operation where client_id = $1']) {
    const [row] = await db.unitOfWork(clientId, (uow) => uow.query<{ count: string }>(sql, [clientId]));
    if (Number(row?.count) === all) continue;
    throw new Error(
      `${done.service} calls were answered and ${done.hand} transactions made, but '${sql}' says ${row?.count}.`,
    );
  }
  const [difference] = await differencesOf(db, clientId);
  if (difference !== undefined) throw new Error(`The books are wrong: ${JSON.stringify(difference)}`);
}
