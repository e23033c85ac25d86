import pLimit from 'p-limit';
import { randomUUID } from 'node:crypto';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { migratedDatabase } from '../support/migrated-database.ts';
import { startLoad } from '../support/load.ts';
import { type RestCall, restCalls } from '../support/rest-calls.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';
import { type Receivers, startReceivers } from '../webhooks/receivers.ts';
import { EVENT_CODE, externalIdOf } from '../worlds/requests.ts';

/** The service on a separate database, and the ways to send work to it. */
export type World = {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly baseUrl: string;
  readonly tenant: Tenant;
  readonly admin: RestCall;
  readonly receivers: Receivers;
  /** Sends one event of a code for each account of a range, 200 in a request. Returns the number of events. */
  eventOfEach(code: string, from: number, to: number): Promise<number>;
  /** Sends events of random accounts, 200 in a request. Returns the number of events. */
  eventsAtRandom(code: string, count: number): Promise<number>;
  /** Makes requests for some seconds. Returns the number of answers. */
  requests(source: string, options: object, connections: number, seconds: number): Promise<number>;
  /** Resolves when no webhook waits. */
  untilSent(): Promise<void>;
};

/** The name of the database, the data folder and the log. */
export const WORLD = 'capacity';

/** Event codes: one that only moves a mission, and two that complete a campaign with points as its reward, the second with a webhook. */
export const CODES = { moves: EVENT_CODE, earns: 'PURCHASE', notifies: 'REVIEW' } as const;

/** Points per account for either campaign. */
export const EARNED = 50;

const EVENTS_AT_ONCE = 200;
const REQUESTS_AT_ONCE = 4;

/** Creates the database, with a game and no accounts, and starts the service. */
export async function createWorld(workbench: Workbench, accountCount: number): Promise<World> {
  const databaseUrl = await migratedDatabase(workbench.databaseUrl, WORLD);
  const options = { url: databaseUrl, entities, poolMax: 4, statementTimeoutMs: 300_000 };
  const db = await openDatabase(options);
  workbench.cleanUps.push(() => db.close());
  const receivers = await startReceivers(workbench);
  const { baseUrl, port } = await startServiceProcess(workbench, {
    name: WORLD,
    databaseUrl,
    // Housekeeping is off, so that purges run only when they are measured.
    env: { LAUREL_WEBHOOK_ALLOW_PRIVATE: 'true', LAUREL_HOUSEKEEPING: 'false' },
  });
  const tenant = await createTenant(db);
  const admin = restCalls(baseUrl, tenant.adminToken);
  await setUpGame(admin);
  const call = restCalls(baseUrl, tenant.apiKey);
  const limit = pLimit(REQUESTS_AT_ONCE);
  const send = async (code: string, count: number, accountOf: (index: number) => number): Promise<number> => {
    const run = randomUUID();
    const requests = Array.from({ length: Math.ceil(count / EVENTS_AT_ONCE) }, (_, request) =>
      limit(() => {
        const first = request * EVENTS_AT_ONCE;
        const triggers = Array.from({ length: Math.min(EVENTS_AT_ONCE, count - first) }, (_event, index) => ({
          programmaticCode: code,
          idType: 'EXTERNAL',
          operationId: `${run}-${first + index}`,
          accountId: externalIdOf(accountOf(first + index)),
        }));
        return call('POST', '/gamification/triggers/batch', { triggers });
      }),
    );
    await Promise.all(requests);
    return count;
  };
  return {
    databaseUrl,
    db,
    baseUrl,
    tenant,
    admin,
    receivers,
    eventOfEach: (code, from, to) => send(code, to - from, (index) => from + index),
    eventsAtRandom: (code, count) => send(code, count, () => Math.floor(Math.random() * accountCount)),
    async requests(source, sourceOptions, connections, seconds) {
      const { run, stop } = await startLoad({ host: '127.0.0.1', port, source, sourceOptions });
      try {
        return (await run({ connections, seconds })).answered;
      } finally {
        await stop();
      }
    },
    async untilSent() {
      const waits = () => db.systemUnitOfWork((uow) => uow.query('select from outbox_message limit 1'));
      while ((await waits()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    },
  };
}

/** Creates active campaigns for everyone: one that is never completed, and two that the first event of their code completes. */
async function setUpGame(admin: RestCall): Promise<void> {
  const audience = await admin('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const reward = await admin('POST', '/admin/rewards', { name: 'Points', type: 'POINTS', amount: EARNED });
  for (const programmaticCode of Object.values(CODES)) {
    await admin('POST', '/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
    const campaign = await admin('POST', '/admin/campaigns', {
      name: `Campaign of ${programmaticCode}`,
      audienceIds: [audience.id],
      rewardIds: [reward.id],
      missions: [
        {
          type: 'MISSION',
          name: `Mission of ${programmaticCode}`,
          programmaticCode,
          target: programmaticCode === CODES.moves ? 1_000_000 : 1,
        },
      ],
    });
    await admin('POST', `/admin/campaigns/${campaign.id}/activate`);
  }
}
