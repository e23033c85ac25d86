import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Journey, type Player, startJourney, type Stage } from './stage.ts';

let journey: Journey;
let stage: Stage;
beforeAll(async () => {
  journey = await startJourney('2027-05-01T12:00Z');
});
beforeEach(async () => {
  journey.clock.set('2027-05-01T12:00Z');
  stage = await journey.stage();
});
afterAll(() => journey.service.close());

const move = (campaignId: string, verb: 'activate' | 'pause' | 'end') =>
  stage.rest('POST', `/admin/campaigns/${campaignId}/${verb}`);
const names = async (feed: Promise<Array<{ name: string }>>) => (await feed).map(({ name }) => name);

async function assign(audienceId: string, ...players: Player[]) {
  const accountIds = await Promise.all(players.map((player) => player.id()));
  await stage.admin(`/gamification/audiences/${audienceId}/accounts/assign`, { accountIds });
}

async function remove(audienceId: string, player: Player) {
  const path = `/gamification/audiences/${audienceId}/accounts/remove`;
  expect(await stage.rest('DELETE', path, { accountIds: [await player.id()] })).toMatchObject({ status: 200 });
}

describe('activation', () => {
  test('fills every feed of the audience at once; before it they are empty and events count for nothing', async () => {
    const game = await stage.game({ missions: [{ target: 3 }], activate: false });
    const [ada, bob] = [stage.player('ada'), stage.player('bob')];
    expect(await ada.feed()).toEqual([]);
    expect(await ada.emit('LOGIN')).toEqual({ progressedMissions: [], rewards: [] });
    await move(game.campaignId, 'activate');
    const [item] = await ada.feed();
    expect(item).toMatchObject({ missionId: game.missionIds[0], campaignId: game.campaignId, progress: 0, target: 3 });
    expect(await bob.feed(), 'also of an unknown account').toHaveLength(1);
    const { progressedMissions } = await ada.emit('LOGIN');
    expect(progressedMissions).toMatchObject([{ assignmentId: item.id, previousProgress: 0, progress: 1 }]);
  });

  test('a repeat is safe, and so is a repeated pause and end', async () => {
    const { campaignId } = await stage.game({});
    for (const verb of ['activate', 'pause', 'pause', 'activate', 'end', 'end'] as const) {
      expect((await move(campaignId, verb)).status, verb).toBe(200);
    }
    for (const verb of ['activate', 'pause'] as const) {
      expect(await move(campaignId, verb), verb).toMatchObject({ status: 409, body: { code: 'CAMPAIGN_ENDED' } });
    }
  });
});

describe('an audience', () => {
  test('whose campaign is active gives its missions to an account that joins, at once', async () => {
    const game = await stage.game({ audienceKind: 'MANUAL', missions: [{ target: 2 }] });
    const ada = stage.player('ada');
    expect(await ada.feed()).toEqual([]);
    expect((await ada.emit('LOGIN')).progressedMissions).toEqual([]);
    await assign(game.audienceId, ada);
    expect(await ada.feed()).toMatchObject([{ progress: 0 }]);
    expect((await ada.emit('LOGIN')).progressedMissions).toMatchObject([{ progress: 1 }]);
  });

  test('that an account leaves takes its active items along; what was completed and earned stays', async () => {
    const reward = await stage.admin('/admin/rewards', { name: 'Five', type: 'POINTS', amount: 5 });
    const missions = [
      { name: 'Done', programmaticCode: 'LOGIN', rewardIds: [reward.id] },
      { name: 'Half done', programmaticCode: 'PURCHASE', target: 100 },
    ];
    const game = await stage.game({ audienceKind: 'MANUAL', missions });
    const ada = stage.player('ada');
    await assign(game.audienceId, ada);
    await ada.emit('LOGIN');
    await ada.emit('PURCHASE', { amount: 40 });
    await remove(game.audienceId, ada);

    expect(await ada.feed()).toEqual([]);
    expect(await names(ada.feed('ACTIVE', 'COMPLETED', 'EXPIRED'))).toEqual(['Done']);
    expect(await names(ada.get('/v1/gamification/missions/completed/{id}'))).toEqual(['Done']);
    expect(await ada.rewards()).toMatchObject([{ rewardId: reward.id, status: 'DELIVERED' }]);
    expect((await ada.points()).available).toBe(5);
    expect((await ada.emit('PURCHASE', { amount: 60 })).progressedMissions).toEqual([]);

    await assign(game.audienceId, ada);
    expect(await ada.feed(), 'who comes back goes on where they were').toMatchObject([{ progress: 40 }]);
    const back = await ada.emit('PURCHASE', { amount: 60 });
    expect(back.progressedMissions).toMatchObject([{ previousProgress: 40, status: 'COMPLETED' }]);
    expect(back.rewards).toMatchObject([{ rewardId: game.rewardIds[0] }]);
  });

  test('is one of several: a member of any has the missions once, and keeps them until it leaves the last', async () => {
    const other = await stage.admin('/admin/audiences', { name: 'Other', kind: 'MANUAL' });
    const first = await stage.admin('/admin/audiences', { name: 'First', kind: 'MANUAL' });
    await stage.game({ missions: [{ target: 10 }], campaign: { audienceIds: [first.id, other.id] } });
    const [ada, bob, eve] = [stage.player('ada'), stage.player('bob'), stage.player('eve')];
    await assign(first.id, ada, bob);
    await assign(other.id, ada);
    for (const [player, items] of [
      [ada, 1],
      [bob, 1],
      [eve, 0],
    ] as const)
      expect(await player.feed()).toHaveLength(items);
    expect((await ada.emit('LOGIN')).progressedMissions).toMatchObject([{ previousProgress: 0, progress: 1 }]);
    await remove(first.id, ada);
    expect(await ada.feed()).toMatchObject([{ progress: 1 }]);
    await remove(other.id, ada);
    expect(await ada.feed()).toEqual([]);
  });
});

test('a pause hides what is active and holds its progress; what was completed stays', async () => {
  const missions = [{ name: 'Done' }, { name: 'Half done', programmaticCode: 'PURCHASE', target: 100 }];
  const game = await stage.game({ missions });
  const ada = stage.player('ada');
  await ada.emit('LOGIN');
  await ada.emit('PURCHASE', { amount: 40 });
  await move(game.campaignId, 'pause');
  expect(await ada.feed()).toEqual([]);
  expect(await names(ada.feed('COMPLETED'))).toEqual(['Done']);
  expect((await ada.emit('PURCHASE', { amount: 60 })).progressedMissions).toEqual([]);
  await move(game.campaignId, 'activate');
  expect(await ada.feed()).toMatchObject([{ name: 'Half done', progress: 40 }]);
  expect((await ada.emit('PURCHASE', { amount: 60 })).rewards).toHaveLength(1);
});

test('an end lets unfinished items expire, for good; what was completed stays', async () => {
  const missions = [{ name: 'Done' }, { name: 'Half done', programmaticCode: 'PURCHASE', target: 100 }];
  const game = await stage.game({ missions });
  const ada = stage.player('ada');
  await ada.emit('LOGIN');
  await ada.emit('PURCHASE', { amount: 40 });
  await move(game.campaignId, 'end');
  expect(await ada.feed()).toEqual([]);
  expect(await ada.feed('EXPIRED')).toMatchObject([{ name: 'Half done', status: 'EXPIRED', progress: 40 }]);
  expect(await names(ada.feed('COMPLETED'))).toEqual(['Done']);
  expect(await ada.get('/v1/gamification/missions/progress/{id}')).toEqual([]);
  expect(await ada.emit('PURCHASE', { amount: 60 })).toEqual({ progressedMissions: [], rewards: [] });
});

test('dates open and close a campaign to the millisecond; an event counts by when it occurred', async () => {
  await stage.game({
    missions: [{ target: 10 }],
    campaign: { startsAt: '2027-06-01T00:00:00Z', endsAt: '2027-07-01T00:00:00Z' },
  });
  const ada = stage.player('ada');
  const progressAt = async (moment: string, occurredAt?: string) => {
    journey.clock.set(moment);
    return (await ada.emit('LOGIN', { occurredAt })).progressedMissions[0]?.progress;
  };
  expect(await progressAt('2027-05-31T23:59:59.999Z')).toBeUndefined();
  expect(await ada.feed('ACTIVE', 'EXPIRED')).toEqual([]);
  expect(await progressAt('2027-06-01T00:00Z')).toBe(1);
  expect(await progressAt('2027-06-01T00:00Z', '2027-05-31T23:59:59.999Z')).toBeUndefined();
  expect(await ada.feed()).toMatchObject([{ startsAt: '2027-06-01T00:00:00Z', expiresAt: '2027-07-01T00:00:00Z' }]);
  expect(await progressAt('2027-06-30T23:59:59.999Z')).toBe(2);
  expect(await progressAt('2027-07-01T00:00Z')).toBeUndefined();
  expect(await ada.feed()).toEqual([]);
  expect(await ada.feed('EXPIRED')).toMatchObject([{ progress: 2 }]);
  expect(await progressAt('2027-07-01T12:00Z', '2027-06-30T12:00Z'), 'late, of a day when it was open').toBe(3);
});

test('a campaign takes one to ten completion rewards and delivers them in their order', async () => {
  const rewards = Array.from({ length: 11 }, (_, index) => ({
    name: `${index + 1}`,
    type: 'POINTS',
    amount: index + 1,
  }));
  const game = await stage.game({ rewards: rewards.slice(0, 10) });
  const { rewards: earned } = await stage.player('ada').emit('LOGIN');
  expect(earned.map((reward: { amount: number }) => reward.amount)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const eleventh = await stage.admin('/admin/rewards', rewards[10]);
  const draft = {
    name: 'x',
    audienceIds: [game.audienceId],
    missions: [{ type: 'MISSION', name: 'x', programmaticCode: 'LOGIN', target: 1 }],
  };
  for (const rewardIds of [[], [...game.rewardIds, eleventh.id]]) {
    const answer = await stage.rest('POST', '/admin/campaigns', { ...draft, rewardIds });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('rewardIds') } });
  }
});

test('campaigns that are created meanwhile disturb neither events nor readers', async () => {
  const game = await stage.game({ missions: [{ target: 1_000 }] });
  const draft = {
    name: 'x',
    audienceIds: [game.audienceId],
    rewardIds: game.rewardIds,
    missions: [{ type: 'MISSION', name: 'x', programmaticCode: 'LOGIN', target: 1 }],
  };
  const ada = stage.player('ada');
  await ada.id();
  const created = new AbortController();
  const untilCreated = async (call: () => Promise<unknown>) => {
    do await call();
    while (!created.signal.aborted);
  };
  const create = async () => {
    for (let count = 0; count < 15; count += 1) await stage.admin('/admin/campaigns', draft);
  };
  const busy = [untilCreated(() => ada.feed()), untilCreated(() => ada.feed()), untilCreated(() => ada.emit('LOGIN'))];
  await Promise.all([create(), create()]);
  created.abort();
  await Promise.all(busy);
});
