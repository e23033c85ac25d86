import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { type Journey, type Player, startJourney, type Stage } from '../../journeys/stage.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2026-06-01T12:00Z');
});
afterAll(async () => {
  expect(await findDifferences(journey.service.db)).toEqual([]);
  await journey.service.close();
});

/** A client with an endless daily streak that pays 20 points at two days and 40 at four. */
type Game = {
  readonly stage: Stage;
  readonly missionId: string;
  readonly mission: object;
  readonly audienceId: string;
};

async function newGame(changes: object = {}): Promise<Game> {
  journey.clock.set('2026-06-01T12:00Z');
  const stage = await journey.stage('UTC');
  const { admin } = stage;
  await admin('/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const { id: audienceId } = await admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const points = async (amount: number) =>
    (await admin('/admin/rewards', { name: `${amount} points`, type: 'POINTS', amount })).id;
  const mission = {
    type: 'STREAK',
    name: 'Every day',
    programmaticCode: 'LOGIN',
    endless: true,
    milestones: [
      { length: 2, rewardIds: [await points(20)] },
      { length: 4, rewardIds: [await points(40)] },
    ],
    ...changes,
  };
  const { id: missionId } = await admin('/admin/missions', { audienceId, mission });
  return { stage, missionId, mission, audienceId };
}

/** Sends an event at noon of each day of June, and returns the last answer. */
async function keep(player: Player, ...days: readonly number[]) {
  let last: Awaited<ReturnType<Player['emit']>>;
  for (const day of days) {
    journey.clock.set(`2026-06-${String(day).padStart(2, '0')}T12:00Z`);
    last = await player.emit('LOGIN', { operationId: `day-${day}` });
  }
  return last;
}

/** Takes the latest event back. */
const reverse = async ({ stage }: Game) => {
  const { rows } = (await stage.rest('GET', '/admin/journal')).body;
  const answer = await stage.rest('POST', '/gamification/triggers/reversals', { journalEntryId: rows[0].id });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

test('an endless streak is never completed, and pays each milestone once, in the event that reaches it', async () => {
  const { stage, missionId } = await newGame();
  const ada = stage.player('ada');
  expect((await keep(ada, 1)).rewards).toEqual([]);
  expect(await keep(ada, 2)).toMatchObject({
    progressedMissions: [{ missionId, previousProgress: 1, progress: 2, target: 0, status: 'ACTIVE', milestones: [2] }],
    rewards: [{ missionId, milestone: 2, amount: 20 }],
  });
  expect((await keep(ada, 3)).progressedMissions[0].milestones).toBeUndefined();
  // The run is lost, and another one reaches the same length.
  expect((await keep(ada, 6, 7, 8)).rewards).toEqual([]);
  expect(await keep(ada, 9)).toMatchObject({ rewards: [{ milestone: 4, amount: 40 }] });
  await keep(ada, 10, 11);
  expect(await ada.points()).toMatchObject({ available: 60 });
  expect(await ada.feed()).toMatchObject([{ missionId, status: 'ACTIVE', endless: true, progress: 6, target: 0 }]);
});

test('feed and progress show the run, the longest one and the next milestone with its rewards', async () => {
  const { stage } = await newGame();
  const ada = stage.player('ada');
  const next = async () => {
    const [item] = await ada.feed();
    const [progress] = await ada.get('/v1/gamification/missions/progress/{id}');
    expect(progress?.streak?.nextMilestone).toEqual(item.streak.nextMilestone);
    return item.streak.nextMilestone;
  };
  await keep(ada, 1);
  expect(await next()).toMatchObject({ length: 2, rewards: [{ amount: 20 }] });
  await keep(ada, 2);
  expect(await next()).toMatchObject({ length: 4, rewards: [{ amount: 40 }] });
  const [progress] = await ada.get('/v1/gamification/missions/progress/{id}');
  expect(progress).toMatchObject({ progress: 2, target: 0, streak: { current: 2, longest: 2 } });
  await keep(ada, 3, 4);
  expect(await next()).toBeUndefined();
});

test('a simulation and the journal name the milestones that an event reaches', async () => {
  const { stage, missionId } = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 1);
  journey.clock.set('2026-06-02T12:00Z');
  const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
  expect((await stage.rest('POST', '/gamification/triggers/simulate', event)).body).toMatchObject([
    { missionId, progress: { milestones: [2] }, rewards: [{ amount: 20 }] },
  ]);
  expect(await ada.points()).toMatchObject({ available: 0 });
  await keep(ada, 2);
  const { rows } = (await stage.rest('GET', '/admin/journal')).body;
  expect(rows[0]).toMatchObject({ missions: [{ missionId, progress: 2, target: 0, milestones: [2] }] });
  expect(rows[1].missions[0].milestones).toBeUndefined();
});

test('a reversal takes the rewards of a milestone that is not reached any more, and a later event pays what was taken', async () => {
  const game = await newGame();
  const ada = game.stage.player('ada');
  await keep(ada, 1, 2);
  expect(await reverse(game)).toMatchObject({
    missions: [{ previousProgress: 2, progress: 1, target: 0 }],
    rewards: [{ amountReversed: 20 }],
  });
  expect(await ada.points()).toMatchObject({ available: 0 });
  journey.clock.set('2026-06-02T13:00Z');
  expect(await ada.emit('LOGIN')).toMatchObject({ rewards: [{ milestone: 2, amount: 20 }] });
  expect(await ada.points()).toMatchObject({ available: 20 });
});

test('a reversal of a longer milestone leaves a shorter one paid', async () => {
  const game = await newGame();
  const ada = game.stage.player('ada');
  await keep(ada, 1, 2, 3, 4);
  expect(await reverse(game)).toMatchObject({ rewards: [{ amountReversed: 40 }] });
  expect(await ada.points()).toMatchObject({ available: 20 });
});

test('a streak with a target has milestones too, and pays the last one with its completion', async () => {
  const { stage, missionId } = await newGame({ endless: false, target: 4 });
  const ada = stage.player('ada');
  expect(await keep(ada, 1, 2, 3, 4)).toMatchObject({
    progressedMissions: [{ missionId, status: 'COMPLETED', progress: 4, milestones: [4] }],
    rewards: [{ milestone: 4, amount: 40 }],
  });
});

test('merged accounts are not paid twice for a milestone, and are paid for one that they reach together', async () => {
  const { stage } = await newGame();
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  await keep(ada, 1, 2);
  // The days of both are still open to late events.
  journey.clock.set('2026-06-02T12:30Z');
  await bob.emit('LOGIN');
  await keep(bob, 3);
  const { available } = await ada.points();
  expect(available).toBe(20);
  const answer = await stage.rest('POST', `/accounts/${await bob.id()}/merge`, {
    intoAccountId: await ada.id(),
    progress: 'MAX',
  });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  expect(await ada.points()).toMatchObject({ available: 40 });
  expect(await ada.feed()).toMatchObject([{ streak: { current: 3, longest: 3, nextMilestone: { length: 4 } } }]);
  expect(await keep(ada, 4)).toMatchObject({ rewards: [{ milestone: 4 }] });
});

test('an endless mission has no target and no other rewards, and is no prerequisite; a campaign has none', async () => {
  const { stage, mission, audienceId, missionId } = await newGame();
  const refused = async (changes: object) => {
    const answer = await stage.rest('POST', '/admin/missions', { audienceId, mission: { ...mission, ...changes } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    return answer.body.message;
  };
  expect(await refused({ target: 5 })).toContain('has no target');
  expect(await refused({ endless: undefined })).toContain('target must be above 0');
  expect(await refused({ type: 'MISSION' })).toContain('for missions of type STREAK');
  expect(await refused({ milestones: [{ length: 2, rewardIds: ['00000000-0000-7000-8000-000000000000'] }] })).toContain(
    'There is no reward',
  );
  expect(
    await refused({
      endless: undefined,
      target: 3,
      milestones: [],
      conditions: { prerequisiteMissionIds: [missionId] },
    }),
  ).toContain('is endless');
  const [{ rewardIds }] = (mission as { milestones: [{ rewardIds: string[] }] }).milestones;
  const campaign = { name: 'Days', audienceIds: [audienceId], rewardIds, missions: [mission] };
  expect((await stage.rest('POST', '/admin/campaigns', campaign)).body.message).toContain('standalone missions');
});

test('a reward of a milestone cannot be archived, and the milestones of an offered streak stay', async () => {
  const { stage, mission, missionId } = await newGame();
  const stored = (await stage.rest('GET', `/admin/missions/${missionId}`)).body;
  expect(stored).toMatchObject({ endless: true, target: 0, milestones: [{ length: 2 }, { length: 4 }] });
  const [{ rewardIds }] = stored.milestones;
  expect(await stage.rest('POST', `/admin/rewards/${rewardIds[0]}/archive`)).toMatchObject({ status: 409 });
  const put = (changes: object) =>
    stage.rest('PUT', `/admin/missions/${missionId}`, { version: 1, mission: { ...mission, ...changes } });
  expect(await put({ milestones: [{ length: 3, rewardIds }] })).toMatchObject({
    status: 409,
    body: { code: 'MISSION_IMMUTABLE' },
  });
  expect(await put({ name: 'Each day' })).toMatchObject({ status: 200, body: { endless: true, target: 0 } });
});
