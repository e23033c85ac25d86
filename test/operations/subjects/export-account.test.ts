import { afterAll, beforeAll, expect, test } from 'vitest';
import { partsOfAccount } from '../../../src/app/parts-of-account.ts';
import { type MarkedGame, playMarkedGame } from '../../security/marked-game.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { settledUser } from '../clients/console.ts';
import { download } from '../imports/files.ts';

let service: TestService;
let game: MarkedGame;
let accountId: string;

beforeAll(async () => {
  service = await sharedService();
  game = await playMarkedGame(service.rest, service);
  [{ id: accountId }] = (await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ id: string }>(`select id from account where email like 'mail%'`),
  )) as [{ id: string }];
});
afterAll(async () => {
  await game.close();
  await service.close();
});

const exported = async (path = `/admin/accounts/${accountId}/export.json`, token?: string) =>
  JSON.parse(await download(service, path, token));

test('one call gives everything about an account, in every part, as JSON', async () => {
  const reason = 'Thanks for calling.';
  await service.rest('POST', `/admin/accounts/${accountId}/points/adjust`, { amount: 5, reason });
  const all = await exported();
  expect(Object.keys(all)).toEqual(['exportedAt', 'accountId', ...partsOfAccount.map(({ name }) => name)]);
  const mark = (what: string) => game.personal.find((each) => each.what === what)!.value;
  expect(all.account).toEqual([
    expect.objectContaining({
      id: accountId,
      externalId: mark('external id'),
      email: mark('e-mail'),
      name: mark('name of a person'),
    }),
  ]);
  const filled = Object.keys(all).filter((name) => all[name].length > 0);
  expect(filled).toEqual(
    expect.arrayContaining([
      'missions',
      'campaigns',
      'earnedRewards',
      'points',
      'pointEntries',
      'pointsLeft',
      'redemptions',
      'reservations',
      'operations',
      'webhookDeliveries',
      'auditEntries',
    ]),
  );
  expect(all.pointEntries.map((entry: { reason?: string }) => entry.reason)).toContain(reason);
  expect(all.operations).toContainEqual(expect.objectContaining({ id: mark('operation id') }));
  expect(JSON.stringify(all.webhookDeliveries)).toContain(mark('external id'));
  expect(JSON.stringify(all.redemptions)).toContain('CODE-');
});

test('people see codes masked, in redemptions and in what was sent', async () => {
  const { accessToken } = (await settledUser(service)).answer.body;
  const all = await exported(undefined, accessToken);
  expect(all.redemptions.length).toBeGreaterThan(0);
  for (const { value } of game.codes) expect(JSON.stringify(all)).not.toContain(value);
  expect(JSON.stringify(all.redemptions)).toContain('••••');
});

test('the audit log says who exported which account, by token or in person, and nothing of what it was', async () => {
  const { body: account } = await service.rest('POST', '/accounts', { email: 'kept@example.com' });
  const path = `/admin/accounts/${account.id}/export.json`;
  const user = await settledUser(service);
  await exported(path);
  await exported(path, user.answer.body.accessToken);
  const conditions = [
    { field: 'operation', value: 'ExportAccount' },
    { field: 'resourceId', value: [account.id] },
  ];
  const query = `page=1&limit=10&filters=${encodeURIComponent(JSON.stringify({ filters: conditions }))}`;
  const { body } = await service.rest('GET', `/admin/audit/paginated?${query}`);
  const operation = 'ExportAdminService.ExportAccount';
  expect(body.rows).toMatchObject([
    { actorType: 'USER', actorName: user.email, operation, resourceType: 'account' },
    { actorType: 'CREDENTIAL', operation, resourceType: 'account' },
  ]);
  expect(JSON.stringify(body.rows)).not.toContain('kept@example.com');
});

test('an account is found by its external id, and after it was deleted by its own', async () => {
  const { body: account } = await service.rest('POST', '/accounts', { externalId: 'leaves', email: 'l@example.com' });
  const path = '/admin/accounts/leaves/export.json?idType=EXTERNAL';
  expect((await exported(path)).account[0].email).toBe('l@example.com');
  await service.rest('DELETE', `/accounts/${account.id}`);
  expect(await service.rest('GET', path)).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  expect((await exported(`/admin/accounts/${account.id}/export.json`)).account[0].email).toBe('l@example.com');
});

test('an erased account has nothing left but what names nobody, and the moment it was erased', async () => {
  const { body: account } = await service.rest('POST', '/accounts', { externalId: 'erased', email: 'e@example.com' });
  await service.rest('POST', `/accounts/${account.id}/erase`, {});
  const all = await exported(`/admin/accounts/${account.id}/export.json`);
  expect(all.account).toEqual([expect.not.objectContaining({ email: expect.anything() })]);
  expect(all.erasure).toEqual([expect.objectContaining({ erasedAt: expect.any(String) })]);
});

test('the account of another client is not there, and an API key may not export', async () => {
  const tenant = await service.newTenant();
  const path = `/admin/accounts/${accountId}/export.json`;
  expect(await service.rest('GET', path, undefined, tenant.adminToken)).toMatchObject({
    status: 404,
    body: { code: 'ACCOUNT_NOT_FOUND' },
  });
  expect((await service.rest('GET', path, undefined, service.apiKey)).status).toBe(403);
  expect(await service.rest('GET', '/admin/accounts/nobody/export.json')).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST' },
  });
});

test('100,000 point entries are given once each, in pages', async () => {
  const { body: account } = await service.rest('POST', '/accounts', {});
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `insert into point_entry (client_id, id, account_id, type, amount, balance_after, created_at)
       select $1, gen_random_uuid(), $2, 'EARN', 1, n, timestamptz '2026-01-01' + n * interval '1 microsecond'
         from generate_series(1, 100000) n`,
      [service.clientId, account.id],
    ),
  );
  const { pointEntries } = await exported(`/admin/accounts/${account.id}/export.json`);
  expect(new Set(pointEntries.map(({ id }: { id: string }) => id)).size).toBe(100_000);
  expect(pointEntries.length).toBe(100_000);
});
