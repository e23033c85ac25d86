import { randomUUID } from 'node:crypto';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DeadTriggerAdminService } from '../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import { newGame } from '../../support/game.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { holdAccount, inboxOf, untilApplied, untilBlocked } from './inbox-fixture.ts';

let service: TestService;
let other: Tenant;

beforeAll(async () => {
  service = await startService({ asyncAttempts: 2 });
  other = await service.newTenant();
  await newGame(service, { missions: [{ target: 1_000 }] });
});
afterAll(() => service.close());

const emitAsync = (body: object) => service.rest('POST', '/gamification/triggers/async', body);
const login = (accountId: string, more: object = {}) => ({
  programmaticCode: 'LOGIN',
  accountId,
  idType: 'EXTERNAL',
  ...more,
});
const progressOf = async (accountId: string) => {
  const { body } = await service.rest('GET', `/v1/gamification/missions/progress/${accountId}?idType=EXTERNAL`);
  return body.map((item: { progress: number }) => item.progress);
};
const deadTriggers = async (query = '') =>
  (await service.rest('GET', `/admin/dead-triggers/paginated?page=1&limit=10${query}`)).body.rows;
const filtered = (field: string, value: unknown) =>
  `&filters=${encodeURIComponent(JSON.stringify({ filters: [{ field, value }] }))}`;

/** Makes the database refuse every change for one account: a fault that no input causes. Returns the function that repairs it. */
async function poison(externalId: string): Promise<() => Promise<void>> {
  const { body: account } = await service.rest('POST', '/accounts/resolve', { externalId });
  const name = `poison_${account.id.replaceAll('-', '')}`;
  const asOwner = (sql: string) =>
    service.db.systemUnitOfWork(async (uow) => {
      await uow.query('set local role none');
      await uow.query(sql);
    });
  await asOwner(`create function ${name}() returns trigger language plpgsql as $$ begin raise 'poisoned'; end $$`);
  await asOwner(`create trigger ${name} before insert or update on assignment for each row
                 when (new.account_id = '${account.id}') execute function ${name}()`);
  return async () => {
    await asOwner(`drop trigger ${name} on assignment`);
    await asOwner(`drop function ${name}()`);
  };
}

/** A dead trigger: an event whose account was deleted while it waited. Returns its id. */
async function deadTrigger(externalId: string, more: object = {}): Promise<string> {
  const { body: account } = await service.rest('POST', '/accounts/resolve', { externalId });
  const release = await holdAccount(service, externalId, { thenDelete: true });
  await emitAsync({ programmaticCode: 'LOGIN', accountId: account.id, ...more });
  await untilBlocked(service);
  await release();
  await untilApplied(service);
  const [letter] = await deadTriggers(filtered('accountId', [account.id]));
  return letter.id;
}

describe('an event that cannot be applied', () => {
  test('fails several times, then becomes a dead trigger, and its neighbours are applied', async () => {
    const heal = await poison('ill');
    const operationId = randomUUID();
    const answers = await Promise.all([
      emitAsync(login('well-1')),
      emitAsync(login('ill', { operationId })),
      emitAsync(login('well-2')),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await untilApplied(service);
    expect([await progressOf('well-1'), await progressOf('well-2')]).toEqual([[1], [1]]);
    expect(await deadTriggers()).toEqual([
      {
        id: expect.any(String),
        programmaticCode: 'LOGIN',
        accountId: 'ill',
        idType: 'EXTERNAL',
        metadata: {},
        operationId,
        occurredAt: expect.any(String),
        acceptedAt: expect.any(String),
        attempts: 2,
        errorCode: 'INTERNAL_SERVER_ERROR',
        errorMessage: expect.stringContaining('log'),
        deadAt: expect.any(String),
      },
    ]);
    await heal();
  });

  test('is replayed once what stood in its way is gone, and takes effect once', async () => {
    const [letter] = await deadTriggers();
    const path = `/admin/dead-triggers/${letter.id}/replay`;
    expect(await service.rest('POST', path)).toMatchObject({ status: 200, body: undefined });
    await untilApplied(service);
    expect(await progressOf('ill')).toEqual([1]);
    expect(await deadTriggers()).toEqual([]);
    expect(await service.rest('POST', path)).toMatchObject({ status: 404, body: { code: 'DEAD_TRIGGER_NOT_FOUND' } });
    const repeat = await service.rest(
      'POST',
      '/gamification/triggers',
      login('ill', { operationId: letter.operationId }),
    );
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    expect(await progressOf('ill')).toEqual([1]);
  });

  test('counts for a campaign that has ended by the time at which it is replayed', async () => {
    const { campaignId } = await newGame(service, {
      codes: { OLD: 'SINGLE' },
      missions: [{ programmaticCode: 'OLD', target: 1 }],
      campaign: { claimPolicy: 'EXPLICIT' },
    });
    const heal = await poison('patient');
    await emitAsync({ ...login('patient'), programmaticCode: 'OLD' });
    await untilApplied(service);
    const [letter] = await deadTriggers(filtered('accountId', ['patient']));
    expect((await service.rest('POST', `/admin/campaigns/${campaignId}/end`)).status).toBe(200);
    await heal();
    await service.rest('POST', `/admin/dead-triggers/${letter.id}/replay`);
    await untilApplied(service);
    const claim = { accountId: 'patient', idType: 'EXTERNAL' };
    const claimed = await service.rest('POST', `/gamification/campaigns/${campaignId}/claim`, claim);
    expect(claimed).toMatchObject({ status: 200, body: { rewards: [{ rewardType: 'POINTS', amount: 10 }] } });
  });

  test('for a reason that cannot heal becomes a dead trigger at once, and again when it is replayed in vain', async () => {
    const id = await deadTrigger('deleted-meanwhile');
    const facts = {
      id,
      attempts: 1,
      errorCode: 'ACCOUNT_NOT_FOUND',
      errorMessage: expect.any(String),
      idType: 'INTERNAL',
    };
    expect(await deadTriggers()).toMatchObject([facts]);
    await service.rest('POST', `/admin/dead-triggers/${id}/replay`);
    await untilApplied(service);
    expect(await deadTriggers()).toMatchObject([facts]);
  });

  test('waits again when the integrator sends it again under its operation id', async () => {
    const heal = await poison('feverish');
    const operationId = randomUUID();
    const event = login('feverish', { operationId });
    await emitAsync(event);
    await untilApplied(service);
    expect(await deadTriggers(filtered('operationId', [operationId]))).toHaveLength(1);
    await heal();
    const other = await emitAsync({ ...event, accountId: 'other' });
    expect(other).toMatchObject({ status: 400, body: { code: 'OPERATION_ID_REUSED' } });
    expect((await emitAsync(event)).status).toBe(200);
    await untilApplied(service);
    expect(await progressOf('feverish')).toEqual([1]);
    expect(await deadTriggers(filtered('operationId', [operationId]))).toEqual([]);
  });
});

describe('dead triggers', () => {
  test('are discarded for good', async () => {
    const id = await deadTrigger('unwanted');
    const path = `/admin/dead-triggers/${id}`;
    expect(await service.rest('DELETE', path)).toMatchObject({ status: 204, body: undefined });
    expect(await service.rest('DELETE', path)).toMatchObject({ status: 404, body: { code: 'DEAD_TRIGGER_NOT_FOUND' } });
    expect((await inboxOf(service)).map((row) => row.id)).not.toContain(id);
  });

  test('are filtered by every field that is named, latest first', async () => {
    const operationId = randomUUID();
    const first = await deadTrigger('filtered-1', { operationId });
    const second = await deadTrigger('filtered-2');
    const [{ acceptedAt, accountId, deadAt }] = await deadTriggers(filtered('id', first));
    const ids = async (field: string, value: unknown) =>
      (await deadTriggers(filtered(field, value))).map((row: { id: string }) => row.id);
    expect((await ids('errorCode', 'account_not')).slice(0, 2)).toEqual([second, first]);
    expect((await ids('programmaticCode', ['LOGIN'])).slice(0, 2)).toEqual([second, first]);
    for (const [field, value] of Object.entries({ id: first, accountId, operationId, acceptedAt, deadAt })) {
      expect(await ids(field, value), field).toEqual([first]);
    }
    const answer = await service.rest(
      'GET',
      `/admin/dead-triggers/paginated?page=1&limit=1${filtered('colour', 'red')}`,
    );
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('programmaticCode') } });
    expect((await service.rest('GET', '/admin/dead-triggers/paginated?page=1')).status).toBe(400);
  });

  test("of another client are 404, and not among one's own", async () => {
    const id = await deadTrigger('private');
    for (const [method, path] of [
      ['POST', `/admin/dead-triggers/${id}/replay`],
      ['DELETE', `/admin/dead-triggers/${id}`],
    ] as const) {
      const answer = await service.rest(method, path, undefined, other.adminToken);
      expect(answer).toMatchObject({ status: 404, body: { code: 'DEAD_TRIGGER_NOT_FOUND' } });
    }
    const list = await service.rest(
      'GET',
      '/admin/dead-triggers/paginated?page=1&limit=10',
      undefined,
      other.adminToken,
    );
    expect(list.body).toMatchObject({ rows: [], totalRows: 0 });
    expect(await deadTriggers(filtered('id', id))).toHaveLength(1);
  });

  test("are not for an integrator's key, and malformed ids are 400", async () => {
    const path = '/admin/dead-triggers/paginated?page=1&limit=10';
    expect((await service.rest('GET', path, undefined, service.apiKey)).status).toBe(403);
    expect((await service.rest('POST', '/admin/dead-triggers/7/replay')).status).toBe(400);
  });

  test('are listed over gRPC as well', async () => {
    const client = createClient(DeadTriggerAdminService, createGrpcTransport({ baseUrl: service.baseUrl }));
    const headers = { authorization: `Bearer ${service.adminToken}` };
    const { rows, totalRows } = await client.listDeadTriggers({ page: 1, limit: 1 }, { headers });
    expect([rows.length, totalRows > 1]).toEqual([1, true]);
  });
});
