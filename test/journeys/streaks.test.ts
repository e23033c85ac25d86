import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantOf, type Journey, type Player, startJourney, type Stage } from './stage.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2027-03-01T12:00Z');
});
afterAll(() => journey.service.close());

/** A stage with one streak of LOGIN and a player. */
async function streak(timeZone: string, mission: object): Promise<Player & { stage: Stage }> {
  const stage = await journey.stage(timeZone);
  await stage.game({ missions: [{ type: 'STREAK', target: 1000, ...mission }] });
  return { ...stage.player('ada'), stage };
}

/** Sets the clock and logs in. */
function loginAt(player: Player, moment: string | number) {
  journey.clock.set(moment);
  return player.emit('LOGIN');
}

async function seenAt(player: Player, moment: string | number) {
  journey.clock.set(moment);
  const [item] = await player.feed();
  return item;
}

describe.each([
  // The days of the clock changes in spring and in autumn, and their length.
  { timeZone: 'Europe/Madrid', changes: { '2027-03-28': 23, '2027-10-31': 25 } },
  // A change that skips the midnight at the beginning of the day, and one that repeats the hour before midnight.
  { timeZone: 'America/Santiago', changes: { '2027-04-03': 25, '2027-09-05': 23 } },
])('a daily streak in $timeZone', ({ timeZone, changes }) => {
  const first = Temporal.PlainDate.from('2027-03-20');
  const days = first.until('2028-03-02').days;
  const startOf = (day: number) => first.add({ days: day }).toZonedDateTime(timeZone).epochMilliseconds;

  // A year of daily events: 2 s here, minutes on a database of several nodes on one machine.
  test('counts each day once, through both changes of the clocks and a leap day', { timeout: 300_000 }, async () => {
    const player = await streak(timeZone, { target: days });
    for (let day = 0; day < days; day += 1) {
      const date = first.add({ days: day }).toString();
      const start = startOf(day);
      if (isNear(date, [...Object.keys(changes), '2028-02-29']) && day > 0) {
        const lastMoment = await loginAt(player, start - 1);
        expect(lastMoment.progressedMissions, `the last millisecond before ${date} is of the day before`).toEqual([]);
      }
      const { progressedMissions } = await loginAt(player, start);
      expect(progressedMissions, date).toMatchObject([{ previousProgress: day, progress: day + 1 }]);
    }
    const [item] = await player.feed('COMPLETED');
    expect(item).toMatchObject({ progress: days, streak: { current: days, longest: days } });
  });

  test('sees a short and a long day on the days of the change', () => {
    for (const [date, hours] of Object.entries(changes)) {
      const day = first.until(date).days;
      expect((startOf(day + 1) - startOf(day)) / 3_600_000, date).toBe(hours);
    }
  });

  test.each(Object.keys(changes))(
    'missed on %s is repaired by a late event, even a late one of its last moment',
    async (date) => {
      const player = await streak(timeZone, {});
      const missed = first.until(date).days;
      for (const day of [missed - 3, missed - 2, missed - 1]) await loginAt(player, startOf(day));
      const afterGap = await loginAt(player, startOf(missed + 1) + 3_600_000);
      expect(afterGap.progressedMissions).toMatchObject([{ previousProgress: 0, progress: 1 }]);
      const repaired = await player.emit('LOGIN', { occurredAt: startOf(missed + 1) - 1 });
      expect(repaired.progressedMissions).toMatchObject([{ previousProgress: 1, progress: 5 }]);
      expect((await player.feed())[0].streak).toMatchObject({ current: 5, longest: 5, freezesLeft: 0 });
    },
  );
});

describe('a late event', () => {
  test('repairs the streak it belongs to, not the one before a longer gap', async () => {
    const player = await streak('Europe/Madrid', {});
    for (const day of ['01', '02', '03']) await loginAt(player, `2027-06-${day}T09:00[Europe/Madrid]`);
    await loginAt(player, '2027-06-06T09:00[Europe/Madrid]');
    const late = await player.emit('LOGIN', { occurredAt: '2027-06-05T10:00[Europe/Madrid]' });
    expect(late.progressedMissions).toMatchObject([{ previousProgress: 1, progress: 2 }]);
    expect((await player.feed())[0].streak).toMatchObject({ current: 2, longest: 3 });
  });

  test('completes a streak whose days are all there', async () => {
    const player = await streak('UTC', { target: 3 });
    await loginAt(player, '2027-06-01T09:00Z');
    await loginAt(player, '2027-06-03T09:00Z');
    const late = await player.emit('LOGIN', { occurredAt: '2027-06-02T09:00Z' });
    expect(late.progressedMissions).toMatchObject([{ progress: 3, status: 'COMPLETED' }]);
    expect(late.rewards).toMatchObject([{ rewardType: 'POINTS', status: 'DELIVERED' }]);
  });

  test('counts once, however often its day comes', async () => {
    const player = await streak('UTC', {});
    await loginAt(player, '2027-06-02T09:00Z');
    const late = { occurredAt: '2027-06-01T10:00Z' };
    expect((await player.emit('LOGIN', late)).progressedMissions).toMatchObject([{ progress: 2 }]);
    expect((await player.emit('LOGIN', late)).progressedMissions).toEqual([]);
  });

  test('of more than 24 hours ago, or of the future, is refused and changes nothing', async () => {
    const player = await streak('UTC', {});
    await loginAt(player, '2027-06-03T09:00Z');
    for (const occurredAt of ['2027-06-02T08:59:59.999Z', '2027-06-03T09:02Z']) {
      expect(await player.send('LOGIN', { occurredAt })).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    }
    expect((await player.feed())[0]).toMatchObject({ progress: 1 });
    const justInTime = await player.emit('LOGIN', { occurredAt: '2027-06-02T09:00Z' });
    expect(justInTime.progressedMissions).toMatchObject([{ progress: 2 }]);
  });
});

describe('a missed period', () => {
  test('shows in the feed once it is over: the run is gone, the longest stays', async () => {
    const player = await streak('America/Santiago', {});
    for (const day of ['01', '02', '03']) await loginAt(player, `2027-09-${day}T09:00[America/Santiago]`);
    const lastMomentToKeep = '2027-09-04T23:59:59.999[America/Santiago]';
    expect(await seenAt(player, lastMomentToKeep)).toMatchObject({ progress: 3, streak: { current: 3, longest: 3 } });
    // The next day begins at one o'clock, because the clocks skip its first hour.
    expect(await seenAt(player, '2027-09-05T01:00[America/Santiago]')).toMatchObject({
      status: 'ACTIVE',
      progress: 0,
      streak: { current: 0, longest: 3 },
    });
    const again = await loginAt(player, '2027-09-05T09:00[America/Santiago]');
    expect(again.progressedMissions).toMatchObject([{ previousProgress: 0, progress: 1 }]);
  });

  test('is survived by a freeze, as often as there are grace periods; a new run has all of them back', async () => {
    const player = await streak('Europe/Madrid', { gracePeriods: 2 });
    const at = (day: number) => `2027-05-${String(day).padStart(2, '0')}T20:00[Europe/Madrid]`;
    await loginAt(player, at(1));
    expect((await loginAt(player, at(3))).progressedMissions).toMatchObject([{ previousProgress: 1, progress: 2 }]);
    expect(await seenAt(player, at(3))).toMatchObject({ streak: { current: 2, freezesLeft: 1 } });
    expect(await seenAt(player, at(5))).toMatchObject({ streak: { current: 2, freezesLeft: 0 } });
    expect(await seenAt(player, at(6))).toMatchObject({
      progress: 0,
      streak: { current: 0, longest: 2, freezesLeft: 2 },
    });
    expect((await loginAt(player, at(6))).progressedMissions).toMatchObject([{ previousProgress: 0, progress: 1 }]);
    expect((await loginAt(player, at(9))).progressedMissions).toMatchObject([{ previousProgress: 1, progress: 2 }]);
  });
});

test('a period is kept by what it sums up to, not by its first event', async () => {
  const player = await streak('UTC', { programmaticCode: 'PURCHASE', perPeriodTarget: 10 });
  const buyAt = (moment: string, amount: number) => {
    journey.clock.set(moment);
    return player.emit('PURCHASE', { amount });
  };
  expect((await buyAt('2027-06-01T09:00Z', 9.9999)).progressedMissions).toMatchObject([{ progress: 0 }]);
  expect((await buyAt('2027-06-01T10:00Z', 0.0001)).progressedMissions).toMatchObject([{ progress: 1 }]);
  expect((await buyAt('2027-06-01T11:00Z', 500)).progressedMissions).toEqual([]);
  expect((await buyAt('2027-06-02T09:00Z', 9)).progressedMissions).toMatchObject([
    { previousProgress: 1, progress: 1 },
  ]);
  // The second day did not reach its ten, so the third starts a new run.
  expect((await buyAt('2027-06-03T09:00Z', 10)).progressedMissions).toMatchObject([
    { previousProgress: 0, progress: 1 },
  ]);
});

test('weeks run from Monday to Sunday, also over the turn of the year', async () => {
  const player = await streak('Europe/Madrid', { period: 'WEEK' });
  // A Sunday, then the Monday after it, then the Sunday in week 53 of 2026, then the Monday of week 1.
  const moments = ['2026-12-20T23:59:59', '2026-12-21T00:00', '2027-01-03T23:59:59', '2027-01-04T00:00'];
  for (const [index, moment] of moments.entries()) {
    const { progressedMissions } = await loginAt(player, `${moment}[Europe/Madrid]`);
    expect(progressedMissions, moment).toMatchObject([{ progress: index + 1 }]);
  }
});

test('months are as long as the calendar says, February of a leap year included', async () => {
  const player = await streak('America/Santiago', { period: 'MONTH' });
  const moments = ['2028-01-31T23:59:59', '2028-02-29T23:59:59', '2028-03-01T00:00', '2028-04-30T12:00'];
  for (const [index, moment] of moments.entries()) {
    const { progressedMissions } = await loginAt(player, `${moment}[America/Santiago]`);
    expect(progressedMissions, moment).toMatchObject([{ progress: index + 1 }]);
  }
});

test("days are those of the account's own zone, where it has one", async () => {
  const { stage } = await streak('Europe/Madrid', {});
  journey.clock.set('2027-05-30T12:00Z');
  const madrid = stage.player('in Madrid');
  const santiago = stage.player('in Santiago');
  const id = await santiago.id();
  await stage.rest('PATCH', `/accounts/${id}`, { timeZone: 'America/Santiago' });
  // Between the two events, midnight passes in Madrid; in Santiago it is the same evening.
  const [before, after] = ['2027-06-01T23:30[Europe/Madrid]', '2027-06-02T00:30[Europe/Madrid]'];
  for (const player of [madrid, santiago]) await loginAt(player, before);
  expect((await loginAt(madrid, after)).progressedMissions).toMatchObject([{ progress: 2 }]);
  expect((await loginAt(santiago, after)).progressedMissions).toEqual([]);
  expect(instantOf(after) - instantOf(before)).toBe(3_600_000);
});

/** Whether a date is within three days of one of these dates. */
function isNear(date: string, dates: readonly string[]): boolean {
  return dates.some((other) => Math.abs(Temporal.PlainDate.from(other).until(date).days) <= 3);
}
