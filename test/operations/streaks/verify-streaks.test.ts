// `laurel verify` names each part of a run, and each payment of a milestone, that somebody changed behind the service's back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journey, startJourney, type Stage } from '../../journeys/stage.ts';
import { differences } from '../rewards/provision.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2026-06-01T12:00Z');
});
afterAll(() => journey.service.close());

/** A daily streak with milestones. */
async function newGame(mission: object, reward: object = { amount: 20 }): Promise<Stage> {
  journey.clock.set('2026-06-01T12:00Z');
  const stage = await journey.stage('UTC');
  const { version, name, timeZone } = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
  const settings = { version, name, timeZone, streaks: { freezesMax: 3 } };
  expect(await stage.rest('PUT', `/admin/clients/${stage.clientId}`, settings)).toMatchObject({ status: 200 });
  const { id: audienceId } = await stage.admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  await stage.admin('/admin/event-definitions', { programmaticCode: 'WALK', type: 'AMOUNT' });
  const { id: rewardId } = await stage.admin('/admin/rewards', { name: 'Points', type: 'POINTS', ...reward });
  const every = { type: 'STREAK', name: 'Every day', programmaticCode: 'WALK', perPeriodTarget: 3, gracePeriods: 1 };
  const milestones = [2, 4, 9].map((length) => ({ length, rewardIds: [rewardId] }));
  await stage.admin('/admin/missions', { audienceId, mission: { ...every, endless: true, milestones, ...mission } });
  return stage;
}

/** Ada keeps days of June. */
async function keep(stage: Stage, code: string, ...days: readonly number[]): Promise<void> {
  for (const day of days) {
    journey.clock.set(`2026-06-${String(day).padStart(2, '0')}T12:00Z`);
    await stage.player('ada').emit(code, code === 'WALK' ? { amount: 3 } : {});
  }
}

/** 3 June, the first period that late events reach. */
const DAY = 20_607;
const kept = (...days: readonly number[]) => `[${days.map((day) => `[${DAY + day}, 30000]`).join(', ')}]`;

const set = (path: string, value: string) => `update assignment set state = jsonb_set(state, '{${path}}', '${value}')`;
/** Another payment: a copy of the first row of a table that a milestone gave. */
const copied = (table: string, changes: object = {}) =>
  `insert into ${table}
   select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid())
            || '${JSON.stringify(changes)}')).*
     from (select * from ${table} where milestone is not null order by milestone limit 1) t`;

const ENDS = { endless: undefined, target: 5, milestones: [] };
const FREEZES = { milestones: [{ length: 4, freezes: 1 }] };

test.each([
  ['a row without a run', {}, 'update assignment set state = null', ['streak none a run', 'earned 1 0', 'earned 1 0']],
  ['a run without a kept day', {}, set('streak,settled,lastKept', 'null'), ['current 2 0']],
  ['a run longer than the longest one', {}, set('streak,settled,longest', '1'), ['longest 1 2']],
  ['more grace periods than there are', {}, set('streak,settled,freezesLeft', '2'), ['grace_periods 2 1']],
  [
    'a sum above the goal',
    {},
    set('streak,open,1,1', '30001'),
    [`open [[${DAY}, 30000], [${DAY + 1}, 30001], [${DAY + 2}, 30000]] ${kept(0, 1, 2)}`],
  ],
  ['days in a wrong order', {}, set('streak,open', kept(1, 0, 2)), [`open ${kept(1, 0, 2)} ${kept(0, 1, 2)}`]],
  [
    'a day that is settled, too',
    {},
    set('streak,open', kept(-1, 0, 1, 2)),
    [`open ${kept(-1, 0, 1, 2)} ${kept(0, 1, 2)}`],
  ],
  [
    'a surplus of a day without its goal',
    {},
    set('streak,surplus', `[[${DAY + 3}, 1]]`),
    [`surplus [[${DAY + 3}, 1]] []`],
  ],
  ['a dropped day before the last kept one', {}, set('streak,dropped', `${DAY - 2}`), [`dropped ${DAY - 2} none`]],
  ['a completion without its target', ENDS, 'update assignment set progress = 4', ['status COMPLETED ACTIVE']],
  ['a target without its completion', ENDS, `update assignment set status = 'ACTIVE'`, ['status ACTIVE COMPLETED']],
  ['a completed run that is too short', ENDS, set('streak,open', kept(1, 2)), ['progress 5.0000 4.0000']],
  ['more progress than kept days', {}, 'update assignment set progress = 6', ['progress 6.0000 5.0000']],
  [
    'progress over a gap that nothing bridged',
    {},
    set('streak,open', kept(0, 3, 4)),
    ['milestone 4 2', 'progress 5.0000 2.0000'],
  ],
  [
    'a gap after the settled run that nothing bridged',
    {},
    set('streak,settled,lastKept', `${DAY - 3}`),
    ['milestone 4 2', 'progress 5.0000 3.0000'],
  ],
  ['a milestone that no run has reached', {}, set('milestone', '9'), ['milestone 9 4']],
  ['a milestone that is none', {}, set('milestone', '3'), ['milestone 3 2', 'earned 1 0']],
  ['a milestone that was paid before it was reached', {}, set('milestone', '2'), ['earned 1 0']],
  ['a milestone that was paid twice', {}, copied('earned_reward'), ['earned 2 1']],
  ['a payment of a milestone that there is not', {}, copied('earned_reward', { milestone: 3 }), ['earned 1 0']],
  [
    'a reward that the milestone does not give',
    {},
    `update earned_reward set reward_id = account_id where milestone = 2`,
    ['earned 1 0'],
  ],
  ['freezes that a milestone gave twice', FREEZES, copied('streak_freeze'), ['freezes 2 1']],
  [
    'freezes of a milestone that was not reached',
    FREEZES,
    `update assignment set state = state - 'milestone'`,
    ['freezes 1 0'],
  ],
  ['freezes of a milestone without any', FREEZES, 'update streak_freeze set milestone = 9', ['freezes 1 0']],
])('verify names %s', async (_title, mission, change, expected) => {
  const stage = await newGame(mission);
  await keep(stage, 'WALK', 1, 2, 3, 4, 5);
  const found = () => differences(journey.service.db, stage.clientId);
  expect(await found()).toEqual([]);
  await journey.service.db.unitOfWork(stage.clientId, (uow) => uow.query(change));
  const shown = (await found()).map(({ subject, stored, recomputed }) => {
    const names = { 'earned_reward.milestone': 'earned', 'streak_freeze.milestone': 'freezes' } as Record<
      string,
      string
    >;
    return [names[subject] ?? subject.replace('assignment.', ''), stored, recomputed].join(' ');
  });
  expect(shown.filter((each) => !each.startsWith('point'))).toEqual(expected);
});

/** Looks at a world, and again when all of its days are settled. */
async function expectClean(stage: Stage, ...codes: readonly string[]): Promise<void> {
  expect(await differences(journey.service.db, stage.clientId)).toEqual([]);
  for (const code of codes) await keep(stage, code, 14);
  expect(await differences(journey.service.db, stage.clientId)).toEqual([]);
}

/** Takes one of the latest events of a code back: 0 for the last one. */
const takeBack = async (stage: Stage, code: string, back: number) => {
  const { rows } = (await stage.rest('GET', `/admin/journal?programmaticCode=${code}`)).body;
  const reversal = { journalEntryId: rows[back].id };
  expect(await stage.rest('POST', '/gamification/triggers/reversals', reversal)).toMatchObject({ status: 200 });
};

test('a reward that was kept after a reversal, and the rest of one that pays more now, are paid once', async () => {
  const stage = await newGame({}, { amountExpression: 'event.amount * 10.0', amountMax: 100, onReversal: 'KEEP' });
  await keep(stage, 'WALK', 1, 2, 3, 4);
  await takeBack(stage, 'WALK', 0);
  expect(await differences(journey.service.db, stage.clientId)).toEqual([]);
  const ada = stage.player('ada');
  await ada.emit('WALK', { amount: 5 });
  expect(await ada.points()).toMatchObject({ available: 30 + 30 + 20 });
  await expectClean(stage, 'WALK');
});

test('two accounts that become one were both paid', async () => {
  const stage = await newGame({ milestones: [{ length: 1, freezes: 1 }] });
  await keep(stage, 'WALK', 1);
  const bob = stage.player('bob');
  await bob.emit('WALK', { amount: 3 });
  const merge = { intoAccountId: await stage.player('ada').id(), progress: 'MAX' };
  expect(await stage.rest('POST', `/accounts/${await bob.id()}/merge`, merge)).toMatchObject({ status: 200 });
  await expectClean(stage, 'WALK');
});

test('a freeze may go to another streak after it made a run long enough for a milestone', async () => {
  const stage = await newGame({ gracePeriods: 0, milestones: [] });
  await stage.admin('/admin/event-definitions', { programmaticCode: 'READ', type: 'SINGLE' });
  const { id: audienceId } = await stage.admin('/admin/audiences', { name: 'All', kind: 'EVERYONE' });
  const { id: rewardId } = await stage.admin('/admin/rewards', { name: 'More', type: 'POINTS', amount: 20 });
  const mission = { type: 'STREAK', name: 'Read', programmaticCode: 'READ', endless: true };
  const milestones = [{ length: 3, rewardIds: [rewardId] }];
  await stage.admin('/admin/missions', { audienceId, mission: { ...mission, milestones } });
  const ada = stage.player('ada');
  await keep(stage, 'READ', 1, 2);
  await stage.admin(`/admin/accounts/${await ada.id()}/streak-freezes`, { reason: 'An apology.' });
  await keep(stage, 'WALK', 2, 3, 4);
  await keep(stage, 'READ', 4);
  expect(await ada.points()).toMatchObject({ available: 20 });
  // The streak that is older goes first.
  await takeBack(stage, 'WALK', 1);
  const runs = (await ada.feed()).map((item: { name: string; streak: object }) => [item.name, item.streak]);
  expect(Object.fromEntries(runs)).toMatchObject({ 'Every day': { current: 2 }, Read: { current: 1, longest: 2 } });
  await expectClean(stage, 'READ');
});
