import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Journey, type Player, startJourney, type Stage } from './stage.ts';

let journey: Journey;
let stage: Stage;
let ada: Player;
beforeAll(async () => {
  journey = await startJourney('2027-06-01T12:00Z');
});
beforeEach(async () => {
  stage = await journey.stage();
  ada = stage.player('ada');
});
afterAll(() => journey.service.close());

/** The simulated effect of an event, mission by mission. */
function simulate(programmaticCode = 'LOGIN', accountId = 'ada') {
  const event = { programmaticCode, accountId, idType: 'EXTERNAL', metadata: {} };
  return stage.admin('/gamification/triggers/simulate', event);
}

const points = { name: 'Ten', type: 'POINTS', amount: 10 };

describe('the simulation', () => {
  test('tells the rewards of the mission and of the campaign that the event would close, and which wait for stock', async () => {
    const { id: productId } = await stage.admin('/admin/products', { name: 'Mug', stockMode: 'COUNTED' });
    const mug = { name: 'Mug', type: 'PRODUCTS', amount: 1, productId };
    const own = await stage.admin('/admin/rewards', { ...points, amount: 5 });
    const { campaignId } = await stage.game({ rewards: [points, mug], missions: [{ rewardIds: [own.id] }] });
    await ada.id();
    const [effect] = await simulate();
    expect(effect).toMatchObject({
      progress: { previousProgress: 0, progress: 1, status: 'COMPLETED' },
      rewards: [{ rewardId: own.id, rewardType: 'POINTS', amount: 5, status: 'DELIVERED' }],
      closing: {
        campaignId,
        claimable: false,
        rewards: [
          { name: 'Ten', rewardType: 'POINTS', amount: 10, status: 'DELIVERED' },
          { name: 'Mug', rewardType: 'PRODUCTS', amount: 1, status: 'PENDING_STOCK', productId },
        ],
      },
    });
    // The event has the simulated effect.
    const done = await ada.emit('LOGIN');
    expect(done.progressedMissions).toEqual([effect.progress]);
    const delivered = [effect.rewards[0].rewardId, effect.closing.rewards[0].rewardId];
    expect(new Set(done.rewards.map((each: { rewardId: string }) => each.rewardId))).toEqual(new Set(delivered));
    expect(done.pendingRewards).toMatchObject([{ rewardId: effect.closing.rewards[1].rewardId }]);
  });

  test('tells that a campaign would wait for a claim, and delivers nothing with it', async () => {
    const { campaignId } = await stage.game({ rewards: [points], campaign: { claimPolicy: 'EXPLICIT' } });
    await ada.id();
    expect(await simulate()).toMatchObject([{ closing: { campaignId, claimable: true, rewards: [] } }]);
  });

  test('closes with the last mission of a campaign only', async () => {
    await stage.game({ missions: [{}, { programmaticCode: 'PURCHASE', target: 10 }] });
    await ada.id();
    const [effect] = await simulate();
    expect(effect).toMatchObject({ progress: { status: 'COMPLETED' }, rewards: [] });
    expect(effect.closing).toBeUndefined();
  });

  test('names each mission that counts the code, with the reason of those that would not move', async () => {
    const manual = await stage.game({ audienceKind: 'MANUAL' });
    const paused = await stage.game({});
    const open = await stage.game({});
    await stage.admin(`/admin/campaigns/${paused.campaignId}/pause`);
    await ada.id();
    const effects = await simulate();
    const reasons = [manual, paused, open].map(({ missionIds: [id] }) => {
      const { reason, progress } = effects.find(({ missionId }: { missionId: string }) => missionId === id);
      return [reason, progress?.progress];
    });
    expect(reasons).toEqual([
      ['NOT_IN_AUDIENCE', undefined],
      ['CAMPAIGN_NOT_ACTIVE', undefined],
      [undefined, 1],
    ]);
    expect(effects).toHaveLength(3);
  });

  test('leaves nothing behind: no progress, no points, no account', async () => {
    await stage.game({ rewards: [points] });
    await ada.id();
    await simulate();
    await simulate();
    expect(await ada.feed()).toMatchObject([{ status: 'ACTIVE', progress: 0 }]);
    expect(await ada.points()).toMatchObject({ available: 0, lifetimeEarned: 0 });
    expect(await ada.rewards()).toEqual([]);
    await simulate('LOGIN', 'nobody');
    expect(await stage.rest('GET', '/accounts/nobody?idType=EXTERNAL')).toMatchObject({ status: 404 });
  });
});
