import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { holdAccount, holdRemovals, inboxOf, untilApplied, untilBlocked } from './inbox-fixture.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ triggerConcurrency: 2 });
  await newGame(service, { missions: [{ target: 1_000_000 }] });
});
afterAll(() => service.close());

const path = '/gamification/triggers';
const emit = (body: object) => service.rest('POST', path, body);
const emitAsync = (body: object) => service.rest('POST', `${path}/async`, body);
const login = (accountId: string, more: object = {}) => ({
  programmaticCode: 'LOGIN',
  accountId,
  idType: 'EXTERNAL',
  ...more,
});
const accountOf = (externalId: string) => service.rest('GET', `/accounts/${externalId}?idType=EXTERNAL`);
const accountsNamed = (pattern: string) =>
  service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ id: string; external_id: string }>(
      'select id, external_id from account where client_id = $1 and external_id like $2',
      [uow.clientId, pattern],
    ),
  );

describe('an asynchronous event for an unknown external id', () => {
  test('has created the account before its 200, also while nothing is applied', async () => {
    const release = await holdRemovals(service);
    const names = Array.from({ length: 20 }, (_, index) => `unknown-${index}`);
    const seen = await Promise.all(
      names.map(async (name) => {
        expect((await emitAsync(login(name))).status).toBe(200);
        return (await accountOf(name)).status;
      }),
    ).finally(() => void release());
    expect(seen).toEqual(names.map(() => 200));
    await untilApplied(service);
    expect(await accountsNamed('unknown-%')).toHaveLength(20);
  });

  test('is applied to the account that was there after its 200', async () => {
    await emitAsync(login('same'));
    const { body: before } = await accountOf('same');
    await untilApplied(service);
    const { body } = await service.rest('GET', `/v1/gamification/missions/progress/${before.id}`);
    expect(body).toMatchObject([{ progress: 1 }]);
  });

  test('creates one account with whatever else names it at that moment', async () => {
    for (let round = 0; round < 5; round++) {
      const names = Array.from({ length: 20 }, (_, index) => `crowd-${round}-${(index * 7) % 20}`);
      const answers = await Promise.all(
        names.flatMap((name, index) => [
          emitAsync(login(name, { operationId: `crowd ${round} ${index}` })),
          emit(login(name)),
          service.rest('POST', '/accounts/resolve', { externalId: name }),
          emitAsync(login(names[(index + 1) % 20]!)),
        ]),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    await untilApplied(service);
    const accounts = await accountsNamed('crowd-%');
    expect(accounts).toHaveLength(100);
    expect(new Set(accounts.map(({ external_id }) => external_id)).size).toBe(100);
  });

  test('does not wait for those who hold its account, or change it', async () => {
    await emit(login('held'));
    await service.db.unitOfWork(service.clientId, async (uow) => {
      await uow.query(`update account set name = 'Held' where client_id = $1 and external_id = 'held'`, [uow.clientId]);
      expect((await emitAsync(login('held'))).status).toBe(200);
      expect(await inboxOf(service)).toHaveLength(1);
    });
    await untilApplied(service);
  });

  test('whose account is deleted before it is applied counts for a new account with that external id', async () => {
    await emit(login('in-the-way'));
    // The batches of a client are applied one after the other, so the next ones wait behind this event.
    const release = await holdAccount(service, 'in-the-way');
    await emitAsync(login('in-the-way'));
    await untilBlocked(service);
    await emitAsync(login('leaver'));
    const { body: account } = await accountOf('leaver');
    const deleted = await service.rest('DELETE', '/accounts/leaver?idType=EXTERNAL');
    await release();
    expect(deleted.status).toBe(204);
    await untilApplied(service);
    const { body: successor } = await accountOf('leaver');
    expect(successor.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(successor.id).not.toBe(account.id);
  });
});

describe('an asynchronous event that is refused creates nothing', () => {
  test.each<[string, object, number]>([
    ['an unknown code', { programmaticCode: 'NOPE' }, 404],
    ['metadata that do not fit', { metadata: { amount: 1 } }, 400],
    ['occurredAt in the future', { occurredAt: '2999-01-01T00:00:00Z' }, 400],
    ['an operation id of other content', { operationId: 'taken' }, 400],
  ])('%s', async (name, fault, status) => {
    expect((await emitAsync(login('owner', { operationId: 'taken' }))).status).toBe(200);
    expect((await emitAsync(login(`refused ${name}`, fault))).status).toBe(status);
    expect((await accountOf(encodeURIComponent(`refused ${name}`))).status).toBe(404);
  });

  test('a repeat of an event whose account was deleted since', async () => {
    const event = login('gone', { operationId: randomUUID() });
    await emitAsync(event);
    await untilApplied(service);
    await service.rest('DELETE', '/accounts/gone?idType=EXTERNAL');
    expect((await emitAsync(event)).status).toBe(200);
    expect((await accountOf('gone')).status).toBe(404);
  });

  test('an unknown internal id, which is a 404', async () => {
    const id = randomUUID();
    expect(await emitAsync(login(id, { idType: 'INTERNAL' }))).toMatchObject({
      status: 404,
      body: { code: 'ACCOUNT_NOT_FOUND' },
    });
    expect(await accountsNamed(id)).toEqual([]);
  });
});

test('a repeat of an event that waits is accepted, also where the event would be refused by now', async () => {
  await emit(login('leaver'));
  const { body: account } = await accountOf('leaver');
  const event = { programmaticCode: 'LOGIN', accountId: account.id, idType: 'INTERNAL', operationId: randomUUID() };
  const unlock = await holdAccount(service, 'leaver', { thenDelete: true });
  expect((await emitAsync(event)).status).toBe(200);
  await unlock();
  const { operationId: _, ...unnamed } = event;
  await expect.poll(async () => (await emitAsync(unnamed)).status).toBe(404);
  const repeat = await emitAsync(event);
  expect(repeat.status).toBe(200);
  expect(repeat.headers.get('idempotency-replayed')).toBe('true');
  expect((await emitAsync({ ...event, accountId: randomUUID() })).body.code).toBe('OPERATION_ID_REUSED');
});
