import { expect } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { startServiceProcess } from '../faults/support/service-process.ts';
import { newGame } from '../support/game.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';

/** An event that a service has answered, with its answer. */
export type Answered = { readonly operationId: string; readonly answer: unknown };

/** Creates a client with a game and a webhook with a secret, in a migrated database. */
export async function createTenant(url: string): Promise<Tenant> {
  const db = await openDatabase({ url, entities, poolMax: 2 });
  const tenant = await newTenant(db);
  await db.close();
  await served(url, async (baseUrl) => {
    const rest = restAs(baseUrl, tenant);
    await newGame({ rest, adminToken: tenant.adminToken }, { missions: [{ target: 1_000 }] });
    const stored = await rest('PUT', '/webhooks/rewards', { endpoint: 'http://127.0.0.1:9/hook', signed: true });
    expect(stored.status).toBe(200);
  });
  return tenant;
}

/** Sends events to a service on the database at `url`; every one is answered. */
export async function play(url: string, tenant: Tenant, operationIds: readonly string[]): Promise<Answered[]> {
  return served(url, async (baseUrl) => {
    const answered: Answered[] = [];
    for (const operationId of operationIds) {
      const { status, body } = await send(baseUrl, tenant, operationId);
      expect(status).toBe(200);
      answered.push({ operationId, answer: body });
    }
    return answered;
  });
}

/** Sends the events again: each has its first answer, because it is stored. Then sends a new one, which continues from them. */
export async function expectThere(url: string, tenant: Tenant, answered: readonly Answered[]): Promise<void> {
  await served(url, async (baseUrl) => {
    for (const { operationId, answer } of answered) {
      const again = await send(baseUrl, tenant, operationId);
      expect(again).toMatchObject({ status: 200, body: answer });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    const next = await send(baseUrl, tenant, `after-${answered.length}`);
    expect(next.body.progressedMissions[0].progress).toBe(answered.length + 1);
  });
}

function send(baseUrl: string, tenant: Tenant, operationId: string) {
  const event = { operationId, accountId: 'ada', idType: 'EXTERNAL', programmaticCode: 'LOGIN' };
  return restAs(baseUrl, tenant)('POST', '/gamification/triggers', event);
}

async function served<T>(url: string, use: (baseUrl: string) => Promise<T>): Promise<T> {
  const service = await startServiceProcess(url);
  try {
    return await use(service.baseUrl);
  } finally {
    await service.end('SIGTERM');
  }
}
