import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type EventOptions, instantOf, type Journey, type Player, startJourney, type Stage } from './stage.ts';

let journey: Journey;
let stage: Stage;
let ada: Player;
beforeAll(async () => {
  journey = await startJourney('2027-06-01T12:00Z');
});
beforeEach(async () => {
  journey.clock.set('2027-06-01T12:00[Europe/Madrid]');
  stage = await journey.stage('Europe/Madrid');
  ada = stage.player('ada');
});
afterAll(() => journey.service.close());

/** A mission with conditions and a target that the test does not reach. */
const missionUnder = (conditions: object, mission: object = {}) =>
  stage.game({ missions: [{ target: 1_000_000, conditions, ...mission }] });

/**
 * The effect of an event on the only mission that counts it, or the reason for no effect. A simulation runs first and must give the same
 * result. The answer to an event without effect has the same form as any other.
 */
async function outcome(code: string, options: EventOptions = {}, player = ada): Promise<number | string> {
  const simulated = await simulate(player, code, options);
  const { status, body } = await player.send(code, options);
  expect(status).toBe(200);
  const [moved] = body.progressedMissions;
  expect(simulated.progress).toEqual(moved);
  if (moved) return moved.progress - moved.previousProgress;
  expect(body).toEqual({ progressedMissions: [], rewards: [] });
  expect(simulated.explanation.length).toBeGreaterThan(20);
  return simulated.uncountedReason;
}

async function simulate(player: Player, programmaticCode: string, { amount, occurredAt }: EventOptions) {
  const [mission] = await stage.admin('/gamification/triggers/simulate', {
    programmaticCode,
    accountId: await player.id(),
    metadata: amount === undefined ? {} : { amount },
    occurredAt: occurredAt === undefined ? undefined : new Date(instantOf(occurredAt)).toISOString(),
  });
  return mission;
}

function outcomeAt(moment: string, code = 'LOGIN', options: EventOptions = {}, player = ada) {
  journey.clock.set(moment);
  return outcome(code, options, player);
}

const madrid = (local: string) => `${local}[Europe/Madrid]`;

describe('amounts', () => {
  test('below minAmount or above maxAmount count for nothing; the bounds themselves count', async () => {
    await missionUnder({ minAmount: 10, maxAmount: 99.5 }, { programmaticCode: 'PURCHASE' });
    const buy = (amount: number) => outcome('PURCHASE', { amount });
    expect(await buy(9.9999)).toBe('BELOW_MINIMUM');
    expect(await buy(0)).toBe('NOT_POSITIVE');
    expect(await buy(10)).toBe(10);
    expect(await buy(99.5)).toBe(99.5);
    expect(await buy(99.5001)).toBe('ABOVE_MAXIMUM');
  });
});

describe('maxPerPeriod', () => {
  test('caps what a day counts, and cuts the event that crosses it', async () => {
    await missionUnder({ maxPerPeriod: 50 }, { programmaticCode: 'PURCHASE' });
    const buyAt = (local: string, amount: number) => outcomeAt(madrid(local), 'PURCHASE', { amount });
    expect(await buyAt('2027-06-01T09:00', 40)).toBe(40);
    expect(await buyAt('2027-06-01T10:00', 30)).toBe(10);
    expect(await buyAt('2027-06-01T23:59:59.999', 1)).toBe('CAP_REACHED');
    expect(await buyAt('2027-06-02T00:00', 70)).toBe(50);
  });

  test('caps by the period of the mission, and a late event by the period in which it occurred', async () => {
    await missionUnder({ maxPerPeriod: 2 }, { period: 'WEEK' });
    // The second is the last moment of a Sunday; the third arrives late and belongs to that Sunday.
    expect(await outcomeAt(madrid('2027-06-01T09:00'))).toBe(1);
    expect(await outcomeAt(madrid('2027-06-06T23:59:59.999'))).toBe(1);
    expect(await outcomeAt(madrid('2027-06-07T09:00'), 'LOGIN', { occurredAt: madrid('2027-06-06T12:00') })).toBe(
      'CAP_REACHED',
    );
    expect(await outcomeAt(madrid('2027-06-07T09:00'))).toBe(1);
  });
});

describe('days and hours', () => {
  test('of the week begin and end at local midnight', async () => {
    await missionUnder({ daysOfWeek: ['SATURDAY', 'SUNDAY'] });
    expect(await outcomeAt(madrid('2027-06-04T23:59:59.999'))).toBe('OUTSIDE_HOURS');
    expect(await outcomeAt(madrid('2027-06-05T00:00'))).toBe(1);
    expect(await outcomeAt(madrid('2027-06-06T23:59:59.999'))).toBe(1);
    expect(await outcomeAt(madrid('2027-06-07T00:00'))).toBe('OUTSIDE_HOURS');
  });

  test("of the day are those of the account's own zone", async () => {
    await missionUnder({ timeFrom: '09:00', timeTo: '17:00' });
    const bob = stage.player('bob');
    await stage.rest('PATCH', `/accounts/${await bob.id()}`, { timeZone: 'America/Santiago' });
    for (const [player, zone] of [
      [ada, 'Europe/Madrid'],
      [bob, 'America/Santiago'],
    ] as const) {
      const at = (time: string) => outcomeAt(`2027-06-02T${time}[${zone}]`, 'LOGIN', {}, player);
      expect(await at('08:59:59.999')).toBe('OUTSIDE_HOURS');
      expect(await at('09:00')).toBe(1);
      expect(await at('16:59:59.999')).toBe(1);
      expect(await at('17:00')).toBe('OUTSIDE_HOURS');
    }
  });

  test('that cross midnight belong to the day on which they open', async () => {
    await missionUnder({ daysOfWeek: ['FRIDAY'], timeFrom: '22:00', timeTo: '02:00' });
    expect(await outcomeAt(madrid('2027-06-04T01:00'))).toBe('OUTSIDE_HOURS');
    expect(await outcomeAt(madrid('2027-06-04T22:00'))).toBe(1);
    expect(await outcomeAt(madrid('2027-06-05T01:59:59.999'))).toBe(1);
    expect(await outcomeAt(madrid('2027-06-05T02:00'))).toBe('OUTSIDE_HOURS');
    expect(await outcomeAt(madrid('2027-06-05T22:30'))).toBe('OUTSIDE_HOURS');
  });

  test('are those that the clocks show: an hour that comes twice counts twice', async () => {
    await missionUnder({ timeFrom: '02:00', timeTo: '03:00' });
    for (const offset of ['+02:00', '+01:00']) {
      expect(await outcomeAt(`2027-10-31T02:30${offset}[Europe/Madrid]`), offset).toBe(1);
    }
    // In spring the clocks skip three o'clock: a minute earlier the hour is closed, and then it is past.
    expect(await outcomeAt('2027-03-28T00:59:59.999Z')).toBe('OUTSIDE_HOURS');
    expect(await outcomeAt('2027-03-28T01:00Z')).toBe('OUTSIDE_HOURS');
  });

  test('on which nothing can count are not missed by a streak', async () => {
    const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'];
    await missionUnder({ daysOfWeek: weekdays }, { type: 'STREAK', target: 100 });
    expect(await outcomeAt(madrid('2027-06-03T12:00'))).toBe(1);
    expect(await outcomeAt(madrid('2027-06-04T12:00'))).toBe(1);
    expect(await outcomeAt(madrid('2027-06-05T12:00'))).toBe('OUTSIDE_HOURS');
    expect(await outcomeAt(madrid('2027-06-07T12:00'))).toBe(1);
    expect(await ada.feed()).toMatchObject([{ streak: { current: 3 } }]);
  });
});

describe('prerequisites', () => {
  test('must be completed before the event; the event that completes them does not count yet', async () => {
    const first = await stage.game({ missions: [{ name: 'First', target: 2 }] });
    const conditions = { prerequisiteMissionIds: first.missionIds };
    await stage.game({ missions: [{ name: 'Second', target: 1, conditions }] });
    const emit = async () =>
      (await ada.emit('LOGIN')).progressedMissions.map((moved: { name: string; status: string }) => [
        moved.name,
        moved.status,
      ]);
    expect(await emit()).toEqual([['First', 'ACTIVE']]);
    expect(await emit()).toEqual([['First', 'COMPLETED']]);
    expect(await emit()).toEqual([['Second', 'COMPLETED']]);
    expect(await emit()).toEqual([]);
  });

  test('that are missing are what the simulation names', async () => {
    const first = await stage.game({ missions: [{ programmaticCode: 'PURCHASE', target: 10 }] });
    await missionUnder({ prerequisiteMissionIds: first.missionIds });
    expect(await outcome('LOGIN')).toBe('PREREQUISITE_MISSING');
    await ada.emit('PURCHASE', { amount: 10 });
    expect(await outcome('LOGIN')).toBe(1);
  });
});

test('an event counts only where all conditions hold', async () => {
  const conditions = { minAmount: 5, daysOfWeek: ['TUESDAY'], timeFrom: '10:00', timeTo: '12:00', maxPerPeriod: 8 };
  await missionUnder(conditions, { programmaticCode: 'PURCHASE' });
  const buyAt = (local: string, amount: number) => outcomeAt(madrid(local), 'PURCHASE', { amount });
  expect(await buyAt('2027-06-01T10:30', 4)).toBe('BELOW_MINIMUM');
  expect(await buyAt('2027-06-01T12:30', 6)).toBe('OUTSIDE_HOURS');
  expect(await buyAt('2027-06-02T10:30', 6)).toBe('OUTSIDE_HOURS');
  expect(await buyAt('2027-06-01T10:30', 6)).toBe(6);
  expect(await buyAt('2027-06-01T10:31', 6)).toBe(2);
  expect(await buyAt('2027-06-01T10:32', 6)).toBe('CAP_REACHED');
});

test('the simulation also reports campaigns and audiences, and what is done', async () => {
  const [game, manual] = [
    await stage.game({}),
    await stage.game({ audienceKind: 'MANUAL', codes: { VIP: 'SINGLE' }, missions: [{ programmaticCode: 'VIP' }] }),
  ];
  expect((await simulate(ada, 'VIP', {})).reason).toBe('NOT_IN_AUDIENCE');
  await stage.admin(`/gamification/audiences/${manual.audienceId}/accounts/assign`, { accountIds: [await ada.id()] });
  expect((await simulate(ada, 'VIP', {})).progress).toMatchObject({ status: 'COMPLETED' });
  await ada.emit('LOGIN');
  expect((await simulate(ada, 'LOGIN', {})).reason).toBe('ALREADY_COMPLETED');
  await stage.admin(`/admin/campaigns/${game.campaignId}/pause`);
  expect((await simulate(stage.player('bob'), 'LOGIN', {})).reason).toBe('CAMPAIGN_NOT_ACTIVE');
});
