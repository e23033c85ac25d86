import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lockAccounts } from '../../../src/accounts/resolving/resolve-accounts.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function created(body: object = {}): Promise<string> {
  const answer = await service.rest('POST', '/accounts', body);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

/** Sessions that wait for a row: each keeps its place in the row's queue. */
const waiting = () =>
  service.db.systemUnitOfWork((uow) =>
    uow.query(
      `select 1 from pg_locks
        where locktype = 'tuple' and database = (select oid from pg_database where datname = current_database())`,
    ),
  );

test('of twenty accounts that are given one external id at once, one gets it, and the others are as they were', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => created({ name: 'Ana' })));
  const answers = await Promise.all(
    ids.map((id) => service.rest('PATCH', `/accounts/${id}`, { externalId: 'wanted by many', name: 'Bob' })),
  );
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(19);
  expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['ACCOUNT_ALREADY_EXISTS']));
  const after = await Promise.all(ids.map((id) => service.rest('GET', `/accounts/${id}`)));
  expect(after.filter(({ body }) => body.name === 'Bob').map(({ body }) => body.externalId)).toEqual([
    'wanted by many',
  ]);
  expect(after.filter(({ body }) => body.name === 'Ana' && body.externalId === undefined)).toHaveLength(19);
});

test('an external id that is created, given and resolved at once belongs to one account', async () => {
  const anonymous = await created();
  const [posted, given, resolved] = await Promise.all([
    service.rest('POST', '/accounts', { externalId: 'three ways' }),
    service.rest('PATCH', `/accounts/${anonymous}`, { externalId: 'three ways' }),
    service.rest('POST', '/accounts/resolve', { externalId: 'three ways' }),
  ]);
  for (const { status, body } of [posted, given])
    expect([status, body.code]).toEqual(status < 400 ? [status, undefined] : [409, 'ACCOUNT_ALREADY_EXISTS']);
  const owners = [posted, given, resolved].flatMap(({ status, body }) => (status < 400 ? [body.id] : []));
  expect(new Set(owners)).toEqual(new Set([resolved.body.id]));
});

test('a change does not wait for what only relies on the account being there', async () => {
  const id = await created();
  const answer = await service.db.unitOfWork(service.clientId, async (uow) => {
    await lockAccounts(uow, [id], 'presence');
    return service.rest('PATCH', `/accounts/${id}`, { name: 'Ana', externalId: 'relied upon' });
  });
  expect(answer).toMatchObject({ status: 200, body: { name: 'Ana', externalId: 'relied upon' } });
});

test('a removal waits for what relies on the account being there', async () => {
  const id = await created();
  let removal: ReturnType<TestService['rest']> | undefined;
  const stillThere = await service.db.unitOfWork(service.clientId, async (uow) => {
    await lockAccounts(uow, [id], 'presence');
    removal = service.rest('DELETE', `/accounts/${id}`);
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 10_000 });
    return service.rest('GET', `/accounts/${id}`);
  });
  expect([stillThere.status, (await removal!).status]).toEqual([200, 204]);
});
