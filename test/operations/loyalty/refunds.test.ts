import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockAccounts } from '../../../src/accounts/resolving/resolve-accounts.ts';
import { ONE } from '../../../src/kernel/amount.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { spendPoints } from '../../../src/loyalty/move-points.ts';
import { partsToReturn } from '../../../src/loyalty/spending/parts-to-return.ts';
import { ok } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { differences, newAccounts } from '../rewards/provision.ts';

const DAY = 86_400_000;
const START = new Date('2026-03-01T10:00:00Z').getTime();

let service: TestService;
let accountId: string;
let productId: string;
let now = START;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now) });
  const product = { name: 'Voucher', stockMode: 'UNLIMITED', pointsCost: 1 };
  productId = (await ok(service.rest('POST', '/admin/products', product))).id;
});
beforeEach(async () => {
  now = START;
  [accountId = ''] = await newAccounts(service.db, service.clientId, 1);
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

const onDay = (day: number) => void (now = START + day * DAY);
const dayOf = (moment: string) => (new Date(moment).getTime() - START) / DAY;
const points = () => ok(service.rest('GET', `/loyalty/accounts/${accountId}/points`));
const give = (amount: number, expiresInDays?: number) =>
  ok(service.rest('POST', `/admin/accounts/${accountId}/points/adjust`, { amount, expiresInDays, reason: 'a gift' }));
const spend = async (quantity: number): Promise<string> =>
  (await ok(service.rest('POST', `/loyalty/products/${productId}/redeem`, { accountId, quantity }))).id;
const cancel = (id: string, expiresInDays?: number) =>
  ok(service.rest('POST', `/admin/redemptions/${id}/cancel`, { reason: 'wrong size', expiresInDays }));

/** A purchase for all points of the account as version 0.1.0 wrote it. It is inserted, because a line of the ledger is never changed. */
async function spendAsBefore(amount: number): Promise<string> {
  const id = newId();
  const of = [service.clientId, accountId, id, amount, new Date(now)];
  await service.db.unitOfWork(service.clientId, async (uow) => {
    await uow.query(
      `insert into redemption (client_id, account_id, id, quantity, points_spent, created_at, product_id, product_name, source, status)
       values ($1, $2, $3, $4::int, $4::int, $5, $6, 'Voucher', 'LOYALTY', 'COMPLETED')`,
      [...of, productId],
    );
    await uow.query(
      `insert into point_entry (client_id, account_id, id, source_id, amount, created_at, balance_after, type, source_type)
       values ($1, $2, $3::uuid, $3::text, -($4::int), $5, 0, 'SPEND', 'REDEMPTION')`,
      of,
    );
    await uow.query('update point_lot set remaining = 0 where client_id = $1 and account_id = $2', of.slice(0, 2));
    await uow.query(
      `update point_balance set available = 0, spent = $3, last_entry_at = $4 where client_id = $1 and account_id = $2`,
      [service.clientId, accountId, amount, new Date(now)],
    );
  });
  return id;
}

/** The account's points, as the days from the start on which they expire, found by a read on each day. */
async function livesOn(): Promise<Record<string, number>> {
  const lives: Record<string, number> = {};
  for (;;) {
    const { available, nextExpiration: next } = await points();
    if (next === undefined) return available === 0 ? lives : { ...lives, never: available };
    lives[dayOf(next.at)] = next.amount;
    now = new Date(next.at).getTime();
  }
}

describe('points that are given back', () => {
  test('keep the moment at which they expire while it is ahead', async () => {
    await give(100, 10);
    onDay(1);
    const purchase = await spend(40);
    onDay(3);
    await cancel(purchase);
    expect(await livesOn()).toEqual({ 10: 100 });
  });

  test('live on for as long as they would have when they were spent, once that moment has passed', async () => {
    await give(100, 10);
    onDay(7);
    const purchase = await spend(40);
    onDay(10);
    await cancel(purchase);
    expect(await points()).toMatchObject({ available: 40, expired: 60, spent: 0 });
    expect(await livesOn()).toEqual({ 13: 40 });
  });

  test('are each what they were, in one line of the history', async () => {
    await give(10, 2);
    await give(10, 8);
    await give(10);
    onDay(1);
    const purchase = await spend(25);
    onDay(5);
    await cancel(purchase);
    const [line, before] = await ok(service.rest('GET', `/loyalty/accounts/${accountId}/points/history`));
    expect(line).toMatchObject({ type: 'REFUND', amount: 25, balanceAfter: 30, sourceId: purchase });
    expect(before).toMatchObject({ type: 'SPEND', amount: -25 });
    // One day was left of the first ten; five of the last ten were spent, and never expire in either case.
    expect(await livesOn()).toEqual({ 6: 10, 8: 10, never: 10 });
  });

  test('of two purchases from the same points are those that each has taken', async () => {
    await give(10, 2);
    await give(10, 8);
    const first = await spend(6);
    const second = await spend(8);
    onDay(1);
    await cancel(second);
    // Four of the first ten and four of the others.
    expect(await points()).toMatchObject({ available: 14, nextExpiration: { amount: 4 } });
    await cancel(first);
    expect(await livesOn()).toEqual({ 2: 10, 8: 10 });
  });

  test('of two purchases that are paid at once are those that each has taken, in their order', async () => {
    await give(10, 2);
    await give(10, 8);
    const at = new Date(now);
    const purchases = [6, 8].map((amount) => ({
      id: newId(),
      accountId,
      pointsSpent: BigInt(amount) * ONE,
      createdAt: at,
    }));
    const returned = await service.db.unitOfWork(service.clientId, async (uow) => {
      await lockAccounts(uow, [accountId]);
      const paid = ({ id, pointsSpent: amount }: (typeof purchases)[number]) => ({
        accountId,
        amount,
        at,
        sourceId: id,
      });
      await spendPoints(
        uow,
        purchases.map((purchase) => ({ ...paid(purchase), sourceType: 'REDEMPTION' })),
      );
      const parts = [];
      for (const purchase of purchases)
        parts.push(await partsToReturn(uow, purchase, { at, expiresInDays: undefined }));
      return parts;
    });
    expect(
      returned.map((parts) => parts.map(({ amount, expiresAt }) => [amount / ONE, dayOf(expiresAt!.toISOString())])),
    ).toEqual([
      [[6n, 2]],
      [
        [4n, 2],
        [4n, 8],
      ],
    ]);
  });

  test('expire when the request says so, all of them', async () => {
    await give(10, 2);
    await give(10);
    const purchase = await spend(15);
    await cancel(purchase, 5);
    expect(await livesOn()).toEqual({ 5: 15, never: 5 });
  });

  test('and spent again come back as they were once more', async () => {
    await give(10, 4);
    onDay(3);
    const first = await spend(10);
    onDay(6);
    await cancel(first);
    const second = await spend(10);
    onDay(6.5);
    await cancel(second);
    expect(await livesOn()).toEqual({ 7: 10 });
  });

  test('of a purchase from before lives were noted never expire', async () => {
    await give(10, 4);
    onDay(1);
    await cancel(await spendAsBefore(10));
    expect(await livesOn()).toEqual({ never: 10 });
  });
});

test('points that no lot holds are never spent, whatever the balance says', async () => {
  await give(10, 4);
  const taking = service.db.unitOfWork(service.clientId, async (uow) => {
    await lockAccounts(uow, [accountId]);
    await uow.query('update point_lot set remaining = 7 where client_id = $1 and account_id = $2', [
      uow.clientId,
      accountId,
    ]);
    await spendPoints(uow, [{ accountId, amount: 8n * ONE, at: new Date(now), sourceType: 'TEST' }]);
  });
  await expect(taking).rejects.toThrow('fewer points in its lots');
});
