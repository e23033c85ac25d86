import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findDifferences } from '../../src/commands/verify.ts';
import { instantOf, type Journey, type Player, startJourney, type Stage } from './stage.ts';

const START = '2027-03-20T12:00:00Z';
const DAY = 86_400_000;

let journey: Journey;
let stage: Stage;
let ada: Player;
beforeAll(async () => {
  journey = await startJourney(START);
});
beforeEach(async () => {
  journey.clock.set(START);
  stage = await journey.stage('Europe/Madrid');
  ada = stage.player('ada');
});
afterAll(async () => {
  expect(await findDifferences(journey.service.db)).toEqual([]);
  await journey.service.close();
});

/** A campaign in which each LOGIN earns the next of these rewards; the last one also earns the completion reward of 10 points. */
async function earning(...rewards: Array<{ amount: number; expiresInDays?: number }>) {
  const missions = [];
  for (const [index, reward] of rewards.entries()) {
    const { id } = await stage.admin('/admin/rewards', { name: 'Points', type: 'POINTS', ...reward });
    missions.push({ target: index + 1, rewardIds: [id] });
  }
  await stage.game({ missions: [...missions, { target: 1_000 }] });
}

/** Buys a product with this price. */
async function spend(pointsCost: number) {
  const product = await stage.admin('/admin/products', { name: 'Mug', stockMode: 'UNLIMITED', pointsCost });
  return stage.rest('POST', `/loyalty/products/${product.id}/redeem`, { accountId: 'ada', idType: 'EXTERNAL' });
}

const daysOn = (days: number, milliseconds = 0) => instantOf(START) + days * DAY + milliseconds;
const historyOf = (player: Player, query = '') => player.get(`/loyalty/accounts/{id}/points/history${query}`);

describe('expiry', () => {
  test('takes unspent points at its moment, not before and not after, without anything having to run', async () => {
    await earning({ amount: 30, expiresInDays: 10 });
    await ada.emit('LOGIN');
    // Ten days of 24 hours: an hour later by the clocks of Madrid, which change to summer time in between.
    const at = '2027-03-30T12:00:00Z';
    journey.clock.set(daysOn(10, -1));
    expect(await ada.points()).toMatchObject({ available: 30, expired: 0, nextExpiration: { amount: 30, at } });
    journey.clock.set(daysOn(10));
    const gone = await ada.points();
    expect(gone).toMatchObject({ available: 0, expired: 30, spent: 0, lifetimeEarned: 30 });
    expect(gone).not.toHaveProperty('nextExpiration');
    expect(await historyOf(ada)).toMatchObject([
      { type: 'EXPIRE', amount: -30, balanceAfter: 0, createdAt: at },
      { type: 'EARN', amount: 30, balanceAfter: 30, createdAt: START },
    ]);
  });

  test('leaves nothing to spend, also when nobody has looked since', async () => {
    await earning({ amount: 30, expiresInDays: 1 });
    await ada.emit('LOGIN');
    journey.clock.set(daysOn(1));
    expect(await spend(1)).toMatchObject({ status: 409, body: { code: 'INSUFFICIENT_POINTS' } });
  });

  test('comes lot by lot, and a purchase takes what expires first', async () => {
    await earning({ amount: 7 }, { amount: 50, expiresInDays: 20 }, { amount: 100, expiresInDays: 10 });
    for (let count = 0; count < 3; count += 1) await ada.emit('LOGIN');
    expect(await ada.points()).toMatchObject({
      available: 157,
      nextExpiration: { amount: 100, at: '2027-03-30T12:00:00Z' },
    });
    expect(await spend(30.5)).toMatchObject({ status: 200, body: { pointsSpent: 30.5 } });
    expect((await ada.points()).nextExpiration).toMatchObject({ amount: 69.5 });
    journey.clock.set(daysOn(10));
    const nextExpiration = { amount: 50, at: '2027-04-09T12:00:00Z' };
    expect(await ada.points()).toMatchObject({ available: 57, expired: 69.5, nextExpiration });
    expect(await spend(51)).toMatchObject({ status: 200 });
    journey.clock.set(daysOn(20));
    expect(await ada.points()).toMatchObject({ available: 6, spent: 81.5, expired: 69.5, lifetimeEarned: 157 });
  });
});

describe('the history', () => {
  test('is paged by the last line that one has: every line once, newest first, even of one millisecond', async () => {
    await earning(...Array.from({ length: 23 }, (_, index) => ({ amount: index + 1 })));
    for (let count = 0; count < 23; count += 1) await ada.emit('LOGIN');
    const whole = await historyOf(ada);
    expect(whole.map(({ amount }: { amount: number }) => amount)).toEqual(
      whole.map((_: object, index: number) => 23 - index),
    );
    expect(whole[0]).toMatchObject({ type: 'EARN', sourceType: 'EARNED_REWARD', balanceAfter: (23 * 24) / 2 });

    const paged = [];
    for (let before = ''; ;) {
      const page = await historyOf(ada, `?limit=5${before}`);
      paged.push(...page);
      if (page.length < 5) break;
      before = `&before=${page.at(-1).createdAt}`;
    }
    expect(paged).toEqual(whole);
  });

  test('adds up: each line says the balance after it', async () => {
    await earning({ amount: 10, expiresInDays: 2 }, { amount: 0.3 }, { amount: 5, expiresInDays: 1 });
    for (let count = 0; count < 3; count += 1) await ada.emit('LOGIN');
    await spend(4);
    journey.clock.set(daysOn(3));
    const lines = await historyOf(ada);
    expect(lines.map(({ type, amount }: { type: string; amount: number }) => [type, amount])).toEqual([
      ['EXPIRE', -10],
      ['EXPIRE', -1],
      ['SPEND', -4],
      ['EARN', 5],
      ['EARN', 0.3],
      ['EARN', 10],
    ]);
    let balance = 0;
    for (const { amount, balanceAfter } of lines.toReversed()) {
      balance = Math.round((balance + amount) * 10_000) / 10_000;
      expect(balanceAfter).toBe(balance);
    }
    expect((await ada.points()).available).toBe(balance);
  });

  test('is empty for an account that nobody knows, and creates none', async () => {
    const nobody = stage.player('nobody');
    expect(await historyOf(nobody)).toEqual([]);
    expect(await nobody.points()).toMatchObject({ available: 0, lifetimeEarned: 0 });
    expect(await stage.rest('GET', '/accounts/nobody?idType=EXTERNAL')).toMatchObject({ status: 404 });
  });

  test.each(['limit=0', 'limit=1001', 'limit=1e3', 'limit=2.5', 'before=yesterday', 'before=2027-03-20'])(
    'with %s is a 400',
    async (query) => {
      await ada.id();
      const answer = await stage.rest('GET', `/loyalty/accounts/ada/points/history?idType=EXTERNAL&${query}`);
      expect(answer).toMatchObject({ status: 400, body: { statusCode: 400, code: 'BAD_REQUEST' } });
    },
  );
});
