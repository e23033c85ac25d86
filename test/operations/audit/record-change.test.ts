import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClientSchema } from '../../../gen/laurel/admin/v1/client_pb.ts';
import { ClientAdminService } from '../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { LoyaltyAdminService } from '../../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import { RedemptionSchema } from '../../../gen/laurel/v1/redemption_pb.ts';
import { sealEntries } from '../../../src/audit/chain/seal-entries.ts';
import { deleteOldAuditEntries } from '../../../src/audit/delete-old-audit-entries.ts';
import { recordChange } from '../../../src/audit/record-change.ts';
import { withoutSecrets } from '../../../src/audit/without-secrets.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import type { UnitOfWork } from '../../../src/persistence/database.ts';
import { startService, type TestService } from '../../support/service.ts';

const actor = { type: 'USER', id: '0197a5f0-0000-7000-8000-000000000001', name: 'ana@example.com' } as const;
const change = { operation: ClientAdminService.method.createClient, schema: ClientSchema } as const;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

function record(clientId: string, id: string, rest: { before?: object; after?: object; note?: string } = {}) {
  return service.db.unitOfWork(clientId, (uow) => recordChange(uow, { actor }, { ...change, id, ...rest }));
}

async function list(token: string, query = '') {
  const { status, body } = await service.rest(
    'GET',
    `/admin/audit/paginated?page=1&limit=100${query}`,
    undefined,
    token,
  );
  expect(status).toBe(200);
  return body.rows;
}

const where = (field: string, value: unknown) =>
  `&filters=${encodeURIComponent(JSON.stringify({ filters: [{ field, value }] }))}`;

describe('the audit log', () => {
  test('tells who changed what, when, from what to what', async () => {
    const { clientId, adminToken } = await service.newTenant();
    await record(clientId, 'a', { before: { name: 'Old' }, after: { name: 'New' }, note: 'It was misspelt.' });
    expect(await list(adminToken)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: expect.stringMatching(/^20/),
        actorType: 'USER',
        actorId: actor.id,
        actorName: 'ana@example.com',
        operation: 'ClientAdminService.CreateClient',
        resourceType: 'client',
        resourceId: 'a',
        note: 'It was misspelt.',
        before: expect.objectContaining({ name: 'Old' }),
        after: expect.objectContaining({ name: 'New' }),
      },
    ]);
  });

  test('shows the latest first, and another client nothing', async () => {
    const [ours, theirs] = [await service.newTenant(), await service.newTenant()];
    for (const id of ['first', 'second', 'third']) await record(ours.clientId, id);
    expect((await list(ours.adminToken)).map((row: { resourceId: string }) => row.resourceId)).toEqual([
      'third',
      'second',
      'first',
    ]);
    expect(await list(theirs.adminToken)).toEqual([]);
  });

  test('is filtered by operation, resource, actor and time', async () => {
    const { clientId, adminToken } = await service.newTenant();
    await record(clientId, 'a');
    const [{ createdAt }] = await list(adminToken);
    const moment = new Date(createdAt);
    const after = new Date(moment.getTime() + 1).toISOString();
    for (const [query, count] of [
      [where('operation', 'createclient'), 1],
      [where('operation', 'DeleteClient'), 0],
      [where('resourceType', ['client']), 1],
      [where('resourceId', ['b']), 0],
      [where('actorId', actor.id), 1],
      [where('actorName', 'ana@'), 1],
      [where('actorType', 'COMMAND_LINE'), 0],
      [`&from=${createdAt}`, 1],
      [`&until=${createdAt}`, 0],
      [`&from=${after}`, 0],
      [`&from=${createdAt}&until=${after}`, 1],
      [`&since=${createdAt}&until=${after}`, 1],
      [`&since=${after}`, 0],
      [`&since=${createdAt}&from=${createdAt}`, 1],
    ] as const) {
      expect(await list(adminToken, query), query).toHaveLength(count);
    }
  });

  test('holds nothing of a change that was rolled back', async () => {
    const { clientId, adminToken } = await service.newTenant();
    const failing = async (uow: UnitOfWork) => {
      await recordChange(uow, { actor }, { ...change, id: 'a' });
      throw new Error('The change failed.');
    };
    await expect(service.db.unitOfWork(clientId, failing)).rejects.toThrow('The change failed.');
    expect(await list(adminToken)).toEqual([]);
  });

  test('keeps no secret and no code that is good for something', async () => {
    const { clientId, adminToken } = await service.newTenant();
    const after = { id: 'a', redeemables: [{ id: 'b', code: 'GIFT-1234' }] };
    const of = { operation: LoyaltyAdminService.method.cancelRedemption, schema: RedemptionSchema, id: 'a', after };
    await service.db.unitOfWork(clientId, (uow) => recordChange(uow, { actor }, of));
    const [row] = await list(adminToken);
    expect(row.after.redeemables).toEqual([expect.objectContaining({ code: '••••1234' })]);
  });

  test('cannot be changed or cleared by a client of its own', async () => {
    const { clientId } = await service.newTenant();
    await record(clientId, 'a');
    for (const sql of ['delete from audit_entry', `update audit_entry set actor_name = 'bob'`]) {
      await expect(service.db.unitOfWork(clientId, (uow) => uow.query(sql))).rejects.toThrow(/permission denied/);
    }
  });

  test('forgets what is older than asked, of that client alone', async () => {
    const [ours, theirs] = [await service.newTenant(), await service.newTenant()];
    for (const { clientId } of [ours, theirs]) await record(clientId, 'old');
    const all = new Date(Date.now() + 60_000);
    // An entry without a position in the chain stays.
    expect(await deleteOldAuditEntries(service.db, ours.clientId, all)).toBe(0);
    const sealing = { now: new Date(Date.now() + 600_000), secrets: createSecretBox([Buffer.alloc(32, 1)]) };
    for (const { clientId } of [ours, theirs]) await sealEntries(service.db, clientId, sealing);
    expect(await deleteOldAuditEntries(service.db, ours.clientId, new Date(Date.now() - 60_000))).toBe(0);
    expect(await deleteOldAuditEntries(service.db, ours.clientId, new Date(Date.now() + 60_000))).toBe(1);
    expect(await list(ours.adminToken)).toEqual([]);
    expect(await list(theirs.adminToken)).toHaveLength(1);
  });
});

test('secrets are left out and codes are masked, at any depth', () => {
  const shown = {
    secret: 's',
    newPassword: 'p',
    accessToken: 't',
    authenticationValue: 'v',
    programmaticCode: 'LOGIN',
  };
  expect(withoutSecrets({ ...shown, items: [{ code: 'GIFT-1234' }, { codes: ['GIFT-5678', 'abc'] }] })).toEqual({
    programmaticCode: 'LOGIN',
    items: [{ code: '••••1234' }, { codes: ['••••5678', '••••'] }],
  });
});

test('of a webhook, the address keeps its host and the last two characters: its path may hold a secret', () => {
  const of = (endpoint: string) => withoutSecrets({ endpoint });
  expect(of('https://me:pw@hooks.example.com/services/T0/B0/abcdef?key=1234')).toEqual({
    endpoint: 'https://hooks.example.com/••••34',
  });
  expect(of('https://hooks.example.com/')).toEqual({ endpoint: 'https://hooks.example.com' });
  expect(of('no address')).toEqual({ endpoint: '••••ss' });
});
