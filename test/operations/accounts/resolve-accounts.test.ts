import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import type { AccountRef } from '../../../src/accounts/resolving/account-ref.ts';
import type { Account } from '../../../src/accounts/account.ts';
import { lockAccounts, resolveAccounts } from '../../../src/accounts/resolving/resolve-accounts.ts';
import { DomainError } from '../../../src/kernel/errors/domain-error.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';

const now = new Date('2026-03-01T12:00:00.123Z');

let database: TestDatabase;

/** Deadlocks and other retried failures: the test must notice them, because each costs a second. */
const log: string[] = [];

beforeAll(async () => {
  const logger = pino({ level: 'debug' }, { write: (line: string) => log.push(line) });
  database = await testDatabase({ logger, poolMax: 20 });
});
afterAll(() => database.drop());

const external = (id: string): AccountRef => ({ id, idType: Account_IdType.EXTERNAL });
const internal = (id: string): AccountRef => ({ id, idType: Account_IdType.INTERNAL });

const resolve = (clientId: string, refs: readonly AccountRef[]) =>
  database.db.unitOfWork(clientId, (uow) => resolveAccounts(uow, refs, { now }));

function idOf(result: Account | DomainError | undefined): string {
  if (result === undefined || result instanceof DomainError) throw new Error(`No account: ${result?.message}`);
  return result.id;
}

/** Pseudo-random numbers, the same in every run. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  return items
    .map((item, index) => ({ item, rank: Math.sin(seed * 1_000 + index) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

test('gives one result per ref, in order, and a ref at fault does not fail its neighbours', async () => {
  const clientId = await newClient(database.db);
  const [known] = await resolve(clientId, [external('known')]);
  const results = await resolve(clientId, [
    internal('not a uuid'),
    external('new'),
    internal(newId()),
    external(''),
    internal(idOf(known).toUpperCase()),
    { id: idOf(known), idType: Account_IdType.ID_TYPE_UNSPECIFIED },
    external('new'),
    external('known'),
  ]);
  expect(results).toMatchObject([
    { code: 'BAD_REQUEST' },
    { externalId: 'new', createdAt: now },
    { code: 'ACCOUNT_NOT_FOUND' },
    { code: 'BAD_REQUEST' },
    { externalId: 'known' },
    { externalId: 'known' },
    { externalId: 'new' },
    { externalId: 'known' },
  ]);
  expect(results[6]).toBe(results[1]);
});

test('no refs need no account', async () => {
  expect(await resolve(await newClient(database.db), [])).toEqual([]);
});

test('an internal id of another client is unknown', async () => {
  const [theirs] = await resolve(await newClient(database.db), [external('theirs')]);
  const [result] = await resolve(await newClient(database.db), [internal(idOf(theirs))]);
  expect(result).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
});

test.each([1, 2, 3, 4, 5])(
  'simultaneous batches of the same new external ids, each in its own order, agree on one account for each and never wait in a circle (%i)',
  async (round) => {
    const clientId = await newClient(database.db);
    const refs = Array.from({ length: 200 }, (_, index) => external(`customer-${index}`));
    const batches = await Promise.all(
      Array.from({ length: 16 }, async (_, seed) => {
        const mine = shuffled(refs, 100 * round + seed).slice(0, 150);
        const results = await resolve(clientId, mine);
        return mine.map((ref, index) => ['id' in ref ? ref.id : '', idOf(results[index])] as const);
      }),
    );
    const ids = new Map<string, Set<string>>();
    for (const [externalId, id] of batches.flat()) ids.set(externalId, (ids.get(externalId) ?? new Set()).add(id));
    expect([...ids.values()].every((each) => each.size === 1)).toBe(true);
    const stored = await database.db.unitOfWork(clientId, (uow) => uow.query('select id from account'));
    expect(stored).toHaveLength(ids.size);
    expect(log.filter((line) => line.includes('is repeated'))).toEqual([]);
  },
);

test('batches that share accounts run one after the other, so that none of their changes is lost', async () => {
  const clientId = await newClient(database.db);
  const refs = Array.from({ length: 20 }, (_, index) => external(`counted-${index}`));
  const count = (seed: number) =>
    database.db.unitOfWork(clientId, async (uow) => {
      const accounts = await resolveAccounts(uow, shuffled(refs, seed), { now });
      for (const account of accounts) {
        const [row] = await uow.query<{ name: string | null }>('select name from account where id = $1', [
          idOf(account),
        ]);
        await uow.query('update account set name = $2 where id = $1', [idOf(account), String(Number(row?.name) + 1)]);
      }
    });
  await Promise.all(Array.from({ length: 12 }, (_, seed) => count(seed)));
  const rows = await database.db.unitOfWork(clientId, (uow) => uow.query('select distinct name from account'));
  expect(rows).toEqual([{ name: '12' }]);
});

test('an external id whose account is deleted while a batch waits for it gets a new account', async () => {
  const clientId = await newClient(database.db);
  const [old] = await resolve(clientId, [external('deleted meanwhile')]);
  let waiting: Promise<unknown> = Promise.resolve();
  let result: Account | DomainError | undefined;
  await database.db.unitOfWork(clientId, async (uow) => {
    await lockAccounts(uow, [idOf(old)], 'removal');
    waiting = resolve(clientId, [external('deleted meanwhile')]).then(([account]) => (result = account));
    await lockIsAwaited();
    await uow.query('update account set deleted_at = now() where id = $1', [idOf(old)]);
  });
  await waiting;
  expect(idOf(result)).not.toBe(idOf(old));
});

/** Resolves when a session waits for another's row, as seen by a third session. */
async function lockIsAwaited(): Promise<void> {
  for (;;) {
    const waiting = await database.db.systemUnitOfWork((uow) => uow.query('select 1 from pg_locks where not granted'));
    if (waiting.length > 0) return;
  }
}
