import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { executeSql } from '../support/execute-sql.ts';
import { migratedDatabase } from '../support/migrated-database.ts';
import { startLoad } from '../support/load.ts';
import type { LoadReport, LoadTask } from '../support/load-protocol.ts';
import { restCalls } from '../support/rest-calls.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';
import { EVENT_CODE, externalIdOf, type WorldRequestOptions } from './requests.ts';
import { addSmallClients, ROWS_OF_SMALL } from './small-clients.ts';

/** The contents of a world. */
export type WorldOptions = {
  readonly clients: number;
  /** Accounts of each client. */
  readonly accountCount: number;
  /** Further clients of ten accounts, without callers. */
  readonly smallClients?: number;
  /** Whether PostgreSQL has statistics. If not, none are created during the life of the world. */
  readonly analysed: boolean;
};

/** The measured work. */
export type Kind = 'events' | 'feed' | 'points';

/** The service on a separate database. */
export type World = {
  readonly measure: Readonly<Record<Kind, (task: LoadTask) => Promise<LoadReport>>>;
  /** Seconds to fill the tables. */
  readonly populatedIn: number;
  /**
   * @throws Error unless every answered event is in the database exactly once
   */
  verify(): Promise<void>;
};

const PATHS = { events: undefined, feed: '/v1/feed/account/{id}', points: '/loyalty/accounts/{id}/points' } as const;

/** Events in one request, and concurrent requests, while a world is filled. */
const EVENTS_AT_ONCE = 200;
const REQUESTS_AT_ONCE = 8;

/** Events that complete the longer mission; no account reaches it, so that every event does the same work. */
const TARGET = 1_000_000;

/** Creates a world. Its accounts are created by their first event, as in a new installation; that event completes a mission, for points. */
export async function createWorld(workbench: Workbench, name: string, options: WorldOptions): Promise<World> {
  const { clients, accountCount, smallClients = 0, analysed } = options;
  const databaseUrl = await migratedDatabase(workbench.databaseUrl, name);
  if (!analysed) await executeSql(databaseUrl, [NEVER_ANALYSED]);
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 4, statementTimeoutMs: 300_000 });
  workbench.cleanUps.push(() => db.close());
  const { baseUrl, port } = await startServiceProcess(workbench, { name, databaseUrl });
  const begun = performance.now();
  const tenants: Tenant[] = [];
  const limit = pLimit(REQUESTS_AT_ONCE);
  await Promise.all(
    Array.from({ length: clients }, () =>
      limit(async () => {
        const tenant = await createTenant(db);
        await setUpGame(baseUrl, tenant);
        tenants.push(tenant);
      }),
    ),
  );
  await Promise.all(
    tenants.flatMap((tenant) =>
      firstEvents(accountCount).map((triggers) =>
        limit(() => restCalls(baseUrl, tenant.apiKey)('POST', '/gamification/triggers/batch', { triggers })),
      ),
    ),
  );
  if (smallClients > 0) await addSmallClients(databaseUrl, tenants[0]!.clientId, smallClients);
  if (analysed) await executeSql(databaseUrl, ['vacuum analyze']);
  const populatedIn = (performance.now() - begun) / 1_000;

  const keys = join(workbench.folder, `${name}-keys.json`);
  await writeFile(keys, JSON.stringify(tenants.map(({ apiKey }) => apiKey)));
  const load = async (path: string | undefined) => {
    const sourceOptions: WorldRequestOptions = { keys, accountCount, path };
    const { run, stop } = await startLoad({
      host: '127.0.0.1',
      port,
      source: import.meta.resolve('./requests.ts'),
      sourceOptions,
    });
    workbench.cleanUps.push(stop);
    return run;
  };
  const sendEvents = await load(PATHS.events);
  let answered = clients * accountCount;
  return {
    populatedIn,
    measure: {
      async events(task) {
        const report = await sendEvents(task);
        answered += report.answered;
        return report;
      },
      feed: await load(PATHS.feed),
      points: await load(PATHS.points),
    },
    verify: () => verifyEvents(db, name, answered, smallClients),
  };
}

/** SQL that turns off automatic statistics. */
export const NEVER_ANALYSED = `do $$ declare one record; begin
  for one in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  loop execute format('alter table %I set (autovacuum_enabled = off)', one.relname); end loop;
end $$`;

/** Creates one active campaign for everyone: a mission that the first event completes, and one that continues. */
async function setUpGame(baseUrl: string, { adminToken }: Tenant): Promise<void> {
  const admin = restCalls(baseUrl, adminToken);
  await admin('POST', '/admin/event-definitions', { programmaticCode: EVENT_CODE, type: 'SINGLE' });
  const audience = await admin('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const reward = await admin('POST', '/admin/rewards', { name: '50 points', type: 'POINTS', amount: 50 });
  const mission = { type: 'MISSION', programmaticCode: EVENT_CODE };
  const campaign = await admin('POST', '/admin/campaigns', {
    name: 'Come back',
    audienceIds: [audience.id],
    rewardIds: [reward.id],
    missions: [
      { ...mission, name: 'Come once', target: 1, rewardIds: [reward.id] },
      { ...mission, name: 'Come often', target: TARGET },
    ],
  });
  await admin('POST', `/admin/campaigns/${campaign.id}/activate`);
}

/** One event of each account, as requests. */
function firstEvents(accountCount: number): object[][] {
  const events = Array.from({ length: accountCount }, (_, number) => ({
    programmaticCode: EVENT_CODE,
    accountId: externalIdOf(number),
    idType: 'EXTERNAL',
    operationId: `first ${number}`,
  }));
  return Array.from({ length: Math.ceil(accountCount / EVENTS_AT_ONCE) }, (_, index) =>
    events.slice(index * EVENTS_AT_ONCE, (index + 1) * EVENTS_AT_ONCE),
  );
}

async function verifyEvents(db: Database, name: string, answered: number, smallClients: number): Promise<void> {
  const [row] = await db.systemUnitOfWork((uow) =>
    uow.query<{ operations: string }>('select count(*) as operations from operation'),
  );
  const stored = Number(row?.operations) - smallClients * ROWS_OF_SMALL;
  if (stored === answered) return;
  throw new Error(`Of ${answered} events answered in the world '${name}' the database has ${stored}.`);
}
