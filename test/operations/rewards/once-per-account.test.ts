import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newGame } from '../../support/game.ts';
import { newClient } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { differences, newAccounts, outcomesOf, reward } from './provision.ts';

let service: TestService;
let clientId: string;
const now = new Date('2026-03-01T10:00:00Z');
const skipped = expect.objectContaining({ status: 'SKIPPED', reason: 'ALREADY_EARNED' });
const delivered = expect.objectContaining({ status: 'DELIVERED' });

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  clientId = await newClient(service.db);
});
afterEach(async () => {
  expect(await differences(service.db, clientId)).toEqual([]);
});
afterAll(() => service.close());

/** The number of times that each account has each reward. */
const earned = () =>
  service.db.unitOfWork(clientId, (uow) =>
    uow.query<{ times: number }>(
      `select count(*)::int as times from earned_reward where client_id = $1 group by account_id, reward_id`,
      [clientId],
    ),
  );

describe('a reward that an account gets once only', () => {
  test('is delivered by the first order of a batch, and the others are skipped and say why', async () => {
    const [ada, bob] = await newAccounts(service.db, clientId, 2);
    const [badge, other] = [reward('BADGE', 1), reward('BADGE', 1)];
    const order = (accountId: string, prize = badge) => ({ accountId, reward: prize, now });
    const orders = [order(ada!), order(ada!, other), order(ada!), order(bob!), order(bob!)];
    const expected = [delivered, delivered, skipped, delivered, skipped];
    expect(await outcomesOf(service.db, clientId, orders)).toEqual(expected);
    expect(await outcomesOf(service.db, clientId, orders)).toEqual(orders.map(() => skipped));
    expect(await earned()).toEqual([{ times: 1 }, { times: 1 }, { times: 1 }]);
  });

  test('is delivered once by batches at the same moment', async () => {
    const accounts = await newAccounts(service.db, clientId, 5);
    const badge = reward('BADGE', 1);
    const batch = accounts.map((accountId) => ({ accountId, reward: badge, now }));
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        outcomesOf(service.db, clientId, index % 2 ? batch : batch.toReversed()),
      ),
    );
    expect(await earned()).toEqual(accounts.map(() => ({ times: 1 })));
    expect(outcomes.flat().filter(({ status }) => status === 'DELIVERED')).toHaveLength(accounts.length);
  });

  test('is not answered, announced or given by support a second time', async () => {
    const { rewardIds } = await newGame(service, {
      missions: [{}, { target: 2 }],
      rewards: [{ name: 'Badge', type: 'BADGE', amount: 1 }],
    });
    const { missionIds } = await newGame(service, { missions: [{ rewardIds }, { rewardIds, target: 2 }] });
    const emit = () =>
      service.rest('POST', '/gamification/triggers', {
        programmaticCode: 'LOGIN',
        accountId: 'ada',
        idType: 'EXTERNAL',
      });
    const [first, second] = [await emit(), await emit()];
    const of = ({ body }: typeof first) =>
      body.rewards.filter(({ rewardId }: { rewardId: string }) => rewardId === rewardIds[0]);
    expect(of(first)).toMatchObject([{ missionId: missionIds[0], status: 'DELIVERED' }]);
    expect(second).toMatchObject({ status: 200 });
    expect(second.body.progressedMissions).toHaveLength(2);
    expect(of(second)).toEqual([]);
    expect(second.body.skippedRewards).toMatchObject([
      { rewardId: rewardIds[0], reason: 'ALREADY_EARNED' },
      { rewardId: rewardIds[0], reason: 'ALREADY_EARNED' },
    ]);
    const grant = { idType: 'EXTERNAL', rewardId: rewardIds[0], reason: 'Asked for it.' };
    expect(await service.rest('POST', '/admin/accounts/ada/rewards/grant', grant)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringContaining(`earned the reward 'Badge' already`) },
    });
  });
});
