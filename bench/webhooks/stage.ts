import { setTimeout as sleep } from 'node:timers/promises';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { type RestCall, restCalls } from '../support/rest-calls.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { createTenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';
import { type Receivers, startReceivers } from './receivers.ts';

/** The service, receivers for its webhooks, and access to its database. */
export type Stage = {
  readonly db: Database;
  readonly baseUrl: string;
  readonly receivers: Receivers;
  /** Creates a client whose webhooks are sent to the receiver of this name. */
  client(receiver: string, webhook: { signed: boolean }): Promise<StageClient>;
  /** The number of logged deliveries with this outcome. */
  count(outcome: 'DELIVERED' | 'TIMED_OUT'): Promise<number>;
  /**
   * Waits until every outcome is recorded.
   * @throws Error unless the log has this number of deliveries, each message once
   */
  verify(deliveries: number): Promise<void>;
};

/** A client of the service. */
export type StageClient = {
  readonly clientId: string;
  readonly apiKey: string;
  readonly admin: RestCall;
};

/** The header by which a receiver recognizes the service; the service decrypts its value for every webhook. */
export const AUTHENTICATION = { 'x-webhook-token': 'a secret of thirty-two characters' };

/** Starts the service, the receivers and the database connection. */
export async function setStage(workbench: Workbench): Promise<Stage> {
  const { databaseUrl, cleanUps } = workbench;
  await migrate(databaseUrl);
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2 });
  cleanUps.push(() => db.close());
  const receivers = await startReceivers(workbench);
  const env = { LAUREL_WEBHOOK_ALLOW_PRIVATE: 'true' };
  const { baseUrl } = await startServiceProcess(workbench, { name: 'service', databaseUrl, env });
  return {
    db,
    baseUrl,
    receivers,
    async client(receiver, { signed }) {
      const { clientId, apiKey, adminToken } = await createTenant(db);
      const admin = restCalls(baseUrl, adminToken);
      const [[authenticationMethodKey, authenticationValue] = []] = Object.entries(AUTHENTICATION);
      await admin('PUT', '/webhooks/rewards', {
        endpoint: receivers.endpointOf(receiver),
        authenticationMethodType: 'HEADER',
        authenticationMethodKey,
        authenticationValue,
        signed,
      });
      return { clientId, apiKey, admin };
    },
    async count(outcome) {
      const sql = 'select count(*)::int as count from webhook_delivery where outcome = $1';
      const [row] = await db.systemUnitOfWork((uow) => uow.query<{ count: number }>(sql, [outcome]));
      return row!.count;
    },
    async verify(deliveries) {
      await untilSettled(db);
      const { logged, messages } = await countDeliveries(db);
      if (logged === deliveries && messages === deliveries) return;
      throw new Error(`${deliveries} webhooks were sent; logged are ${logged} attempts for ${messages} messages.`);
    },
  };
}

/** Milliseconds for the record of outcomes, including timeouts. */
const PATIENCE = 30_000;

async function untilSettled(db: Database): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const waiting = await db.systemUnitOfWork((uow) => uow.query('select from outbox_message limit 1'));
    if (waiting.length === 0) return;
    if (Date.now() > deadline) throw new Error('The outbox does not become empty.');
    await sleep(100);
  }
}

async function countDeliveries(db: Database): Promise<{ logged: number; messages: number }> {
  const [row] = await db.systemUnitOfWork((uow) =>
    uow.query<{ logged: number; messages: number }>(
      'select count(*)::int as logged, count(distinct message_id)::int as messages from webhook_delivery',
    ),
  );
  return row!;
}
