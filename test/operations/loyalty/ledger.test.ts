import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockAccounts } from '../../../src/accounts/resolving/resolve-accounts.ts';
import { type Amount, amountFromDecimal } from '../../../src/kernel/amount.ts';
import { DomainError } from '../../../src/kernel/errors/domain-error.ts';
import { expirePoints } from '../../../src/loyalty/expire-points.ts';
import { earnPoints, spendPoints } from '../../../src/loyalty/move-points.ts';
import { newClient, testDatabase, type TestDatabase } from '../../support/database.ts';
import { newAccounts } from '../rewards/provision.ts';

let database: TestDatabase;
let clientId: string;
let accountId: string;
const start = new Date('2026-03-01T10:00:00Z').getTime();
const HOUR = 3_600_000;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  clientId = await newClient(database.db);
  [accountId = ''] = await newAccounts(database.db, clientId, 1);
});
afterAll(() => database.drop());

type Step =
  | { readonly kind: 'earn'; readonly amount: Amount; readonly hours: number | undefined }
  | { readonly kind: 'spend'; readonly amount: Amount }
  | { readonly kind: 'pass'; readonly hours: number }
  | { readonly kind: 'sweep' };

const amounts = fc.bigInt({ min: 1n, max: 1_000_000n });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('earn' as const),
      amount: amounts,
      hours: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
    }),
    fc.record({ kind: fc.constant('spend' as const), amount: amounts }),
    fc.record({ kind: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ kind: fc.constant('sweep' as const) }),
  ),
  { minLength: 1, maxLength: 15 },
);

/** A minimal ledger: a list of lots; the lot that expires first is spent first. */
function model(lots: { amount: Amount; until: number }[], now: number) {
  const open = () => lots.filter((lot) => lot.until > now && lot.amount > 0n);
  const sum = () => open().reduce((total, lot) => total + lot.amount, 0n);
  return {
    sum,
    spend(amount: Amount): boolean {
      if (sum() < amount) return false;
      let rest = amount;
      for (const lot of open().sort((one, other) => one.until - other.until)) {
        const taken = lot.amount < rest ? lot.amount : rest;
        lot.amount -= taken;
        rest -= taken;
      }
      return true;
    },
  };
}

async function earn(account: string, amount: Amount, at: number, hours?: number): Promise<void> {
  const expiresAt = hours === undefined ? undefined : new Date(at + hours * HOUR);
  await database.db.unitOfWork(clientId, async (uow) => {
    await lockAccounts(uow, [account]);
    await earnPoints(uow, [{ accountId: account, amount, at: new Date(at), expiresAt, sourceType: 'TEST' }]);
  });
}

async function spend(account: string, amount: Amount, at: number): Promise<boolean> {
  const spending = database.db.unitOfWork(clientId, async (uow) => {
    await lockAccounts(uow, [account]);
    await spendPoints(uow, [{ accountId: account, amount, at: new Date(at), sourceType: 'TEST' }]);
    return true;
  });
  return spending.catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'INSUFFICIENT_POINTS') return false;
    throw error;
  });
}

type Sums = {
  available: string;
  of_entries: string;
  of_lots: string;
  last: string;
  earned: string;
  spent: string;
  expired: string;
};

async function sumsOf(account: string): Promise<Sums | undefined> {
  const [sums] = await database.db.unitOfWork(clientId, (uow) =>
    uow.query<Sums>(
      `select b.available, b.lifetime_earned as earned, b.spent, b.expired,
              (select sum(amount) from point_entry e where e.account_id = b.account_id) as of_entries,
              (select sum(remaining) from point_lot l where l.account_id = b.account_id) as of_lots,
              (select balance_after from point_entry e where e.account_id = b.account_id order by created_at desc limit 1) as last
         from point_balance b where b.account_id = $1`,
      [account],
    ),
  );
  return sums;
}

describe('points', () => {
  test('however they are earned, spent and expire, the balance is the sum of the ledger and the sum of the lots', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const [account = ''] = await newAccounts(database.db, clientId, 1);
        const lots: { amount: Amount; until: number }[] = [];
        let now = start;
        for (const step of sequence) {
          if (step.kind === 'pass') now += step.hours * HOUR;
          if (step.kind === 'sweep') await expirePoints(database.db, clientId, new Date(now));
          if (step.kind === 'spend') {
            expect(await spend(account, step.amount, now)).toBe(model(lots, now).spend(step.amount));
          }
          if (step.kind === 'earn') {
            await earn(account, step.amount, now, step.hours);
            lots.push({ amount: step.amount, until: step.hours === undefined ? Infinity : now + step.hours * HOUR });
          }
        }
        await expirePoints(database.db, clientId, new Date(now));
        const sums = await sumsOf(account);
        if (sums === undefined) return;
        expect(amountFromDecimal(sums.available)).toBe(model(lots, now).sum());
        expect([sums.of_entries, sums.of_lots, sums.last]).toEqual([sums.available, sums.available, sums.available]);
        const { earned, spent, expired } = sums;
        expect(amountFromDecimal(earned) - amountFromDecimal(spent) - amountFromDecimal(expired)).toBe(
          amountFromDecimal(sums.available),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('of parallel earners and spenders: none is lost, none is spent twice', async () => {
    const spent = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        if (index % 3 === 0) {
          await earn(accountId, 100_000n, start, index % 2 ? 5 : undefined);
          return false;
        }
        return spend(accountId, 30_000n, start);
      }),
    );
    const sums = (await sumsOf(accountId))!;
    const successes = BigInt(spent.filter(Boolean).length);
    expect(amountFromDecimal(sums.available)).toBe(2_000_000n - successes * 30_000n);
    expect([sums.of_entries, sums.of_lots]).toEqual([sums.available, sums.available]);
  });

  test('of two that are spent at once, only one when there are enough for one', async () => {
    await earn(accountId, 100_000n, start);
    const results = await Promise.all([spend(accountId, 70_000n, start), spend(accountId, 70_000n, start)]);
    expect(results.toSorted()).toEqual([false, true]);
  });

  test('that expire first are spent first, whichever were earned first', async () => {
    await earn(accountId, 10_000n, start);
    await earn(accountId, 10_000n, start, 20);
    await earn(accountId, 10_000n, start, 10);
    await spend(accountId, 15_000n, start);
    const lots = await database.db.unitOfWork(clientId, (uow) =>
      uow.query<{ remaining: string; expires_at: Date | null }>(
        `select remaining, expires_at from point_lot order by expires_at`,
      ),
    );
    expect(lots).toEqual([
      { remaining: '0.0000', expires_at: new Date(start + 10 * HOUR) },
      { remaining: '0.5000', expires_at: new Date(start + 20 * HOUR) },
      { remaining: '1.0000', expires_at: null },
    ]);
  });

  test('are no longer there at the moment they expire, and are the moment before', async () => {
    await earn(accountId, 10_000n, start, 10);
    expect(await spend(accountId, 10_000n, start + 10 * HOUR)).toBe(false);
    expect(await spend(accountId, 10_000n, start + 10 * HOUR - 1)).toBe(true);
  });

  test('never share a moment in the history of their account', async () => {
    await Promise.all(Array.from({ length: 20 }, () => earn(accountId, 10_000n, start)));
    const [row] = await database.db.unitOfWork(clientId, (uow) =>
      uow.query<{ moments: number }>(`select count(distinct created_at)::int as moments from point_entry`),
    );
    expect(row?.moments).toBe(20);
  });

  test('of deleted accounts expire once, however many processes sweep at once', async () => {
    await earn(accountId, 10_000n, start, 1);
    await database.db.unitOfWork(clientId, (uow) => uow.query('update account set deleted_at = now()'));
    const later = new Date(start + 2 * HOUR);
    await Promise.all(Array.from({ length: 5 }, () => expirePoints(database.db, clientId, later)));
    const sums = (await sumsOf(accountId))!;
    expect([sums.available, sums.expired, sums.of_entries, sums.of_lots]).toEqual([
      '0.0000',
      '1.0000',
      '0.0000',
      '0.0000',
    ]);
  });
});
