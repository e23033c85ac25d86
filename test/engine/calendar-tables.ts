import { calendarOfZone, periodAt, periodEnd, periodStart } from '../../src/engine/time/calendar.ts';
import { periodKey } from '../../src/engine/time/period.ts';
import {
  clock,
  type Column,
  counts,
  expires,
  expiresOnClock,
  keepUntil,
  keptToday,
  freezes,
  longest,
  milestones,
  nextMilestone,
  gracePeriods,
  period,
  progress,
  streak,
  utc,
  utcText,
  what,
} from './calendar-columns.ts';
import { ENDLESS } from '../../src/engine/missions/mission-rule.ts';
import { HOUR, instant, units } from './fixtures.ts';
import { applied, event, looks, type Moment, play, type Step, type Story } from './story.ts';

/** The tables of docs/calendar.md by their names on that page; the first row of each is its head. */
export function calendarTables(): Record<string, readonly string[][]> {
  return {
    westwards: tableOf(WESTWARDS, [utc, clock, period('DAY'), what, counts(), progress(), expires()]),
    eastwards: tableOf(EASTWARDS, [utc, clock, period('DAY'), what, counts(), streak(), keptToday, keepUntil]),
    'eastwards-weeks': tableOfAccounts({ Ada: moving(ADA_MOVES), Bob: moving(BOB_MOVES) }, [
      utc,
      clock,
      period('WEEK'),
      what,
      streak(),
    ]),
    'default-zone': tableOfAccounts({ Ada: DEFAULT_ZONE, Bob: { ...DEFAULT_ZONE, zone: 'UTC' } }, [
      utc,
      clock,
      period('DAY'),
      what,
      counts(),
      progress(),
    ]),
    'pause-streak': tableOf(PAUSE_STREAK, [utc, what, counts(), streak(), keptToday, keepUntil]),
    'pause-waiting': tableOf(PAUSE_WAITING, [utc, what, counts(), progress()]),
    'pause-challenge': tableOf(PAUSE_CHALLENGE, [
      utc,
      what,
      progress('m1', '`durationDays: 3`'),
      expires('m1', 'It expires'),
      progress('m2', '`endsAt`'),
      expires('m2', 'It expires'),
    ]),
    'late-challenge': tableOf(LATE_CHALLENGE, [utc, what, counts(), progress(), expires()]),
    'late-activation': tableOf(LATE_ACTIVATION, [utc, what, counts(), progress()]),
    'late-prerequisite': tableOf(LATE_PREREQUISITE, [
      utc,
      what,
      counts('m1', 'For the first?'),
      counts('m2', 'For the second?'),
      progress('m2', 'Second'),
    ]),
    'late-end': tableOf(LATE_END, [utc, what, counts(), progress()]),
    'late-joining': tableOf(LATE_JOINING, [utc, what, counts(), progress()]),
    'days-in-spring': days('Europe/Madrid', ['2026-03-28', '2026-03-29', '2026-03-30']),
    'days-in-autumn': days('Europe/Madrid', ['2026-10-24', '2026-10-25', '2026-10-26']),
    'challenge-in-spring': tableOf(challengeIn('2026-03-28T12:00Z', '2026-03-29T12:00Z'), CHALLENGE_COLUMNS),
    'challenge-in-autumn': tableOf(challengeIn('2026-10-24T11:00Z', '2026-10-25T11:00Z'), CHALLENGE_COLUMNS),
    'keep-until': tableOf(KEEP_UNTIL, [utc, clock, period('DAY'), what, streak(), gracePeriods, keptToday, keepUntil]),
    milestones: tableOf(MILESTONES, [utc, what, streak(), longest, milestones, nextMilestone]),
    freezes: tableOf(FREEZES, [utc, what, streak(), gracePeriods, freezes, keptToday, keepUntil]),
    'freezes-of-two': tableOf(FREEZES_OF_TWO, [utc, what, streak('m1', 'Streak A'), streak('m2', 'Streak B'), freezes]),
    vacations: tableOf(VACATION, [utc, what, streak(), gracePeriods, freezes, keptToday, keepUntil]),
    'vacation-weeks': tableOf(VACATION_WEEKS, [utc, period('WEEK'), what, streak(), keepUntil]),
    'vacation-zones': tableOf(VACATION_ZONES, [utc, clock, period('DAY'), what, streak(), keepUntil]),
    'leap-day': tableOf(LEAP_DAY, [
      utc,
      period('DAY'),
      what,
      streak('m1', 'Daily streak'),
      period('MONTH'),
      progress('m2', 'Monthly routine'),
      expires('m2', 'It expires'),
    ]),
    'year-end': tableOf(YEAR_END, [
      utc,
      clock,
      period('WEEK'),
      what,
      progress('m1', 'Weekly routine'),
      expires('m1', 'It expires'),
      streak('m2', 'Weekly streak'),
    ]),
  };
}

/** Friday to Tuesday, with the day of 23 hours and one freeze; Saturdays do not count. */
const KEEP_UNTIL: Story = {
  missions: [
    {
      type: 'STREAK',
      target: units(30),
      gracePeriods: 1,
      conditions: { daysOfWeek: [1, 2, 3, 4, 5, 7] },
    },
  ],
  zone: 'Europe/Madrid',
  steps: [
    looks('2026-03-27T08:00Z'),
    event('2026-03-27T12:00Z'),
    looks('2026-03-28T12:00Z'),
    looks('2026-03-29T12:00Z'),
    looks('2026-03-29T22:00Z'),
    event('2026-03-30T12:00Z'),
    looks('2026-03-30T22:00Z'),
    looks('2026-03-31T22:00Z'),
  ],
};

/** Two days in a row, a missed day, and then three days, of which the second comes late. */
const MILESTONES: Story = {
  missions: [{ type: 'STREAK', target: ENDLESS, milestones: [2, 4].map((length) => ({ length, rewardIds: ['r2'] })) }],
  zone: 'UTC',
  steps: [
    looks('2027-06-01T08:00Z'),
    event('2027-06-01T12:00Z'),
    event('2027-06-02T12:00Z'),
    looks('2027-06-04T12:00Z'),
    event('2027-06-05T12:00Z'),
    event('2027-06-06T12:00Z'),
    event('2027-06-07T12:00Z'),
    event('2027-06-09T11:00Z'),
    { ...event('2027-06-09T11:30Z'), occurredAt: '2027-06-08T12:00Z' },
    event('2027-06-10T12:00Z'),
  ],
};

const gets = (at: string): Step => ({ at, does: 'getsFreeze' });

/** One grace period and two freezes, of which a late event gives one back. */
const FREEZES: Story = {
  missions: [{ type: 'STREAK', target: ENDLESS, gracePeriods: 1 }],
  zone: 'UTC',
  steps: [
    event('2027-06-01T12:00Z'),
    gets('2027-06-01T13:00Z'),
    looks('2027-06-03T00:00Z'),
    looks('2027-06-04T00:00Z'),
    gets('2027-06-04T12:00Z'),
    looks('2027-06-05T08:00Z'),
    event('2027-06-05T09:00Z', '2027-06-04T20:00Z'),
    looks('2027-06-06T00:00Z'),
    looks('2027-06-07T00:00Z'),
    gets('2027-06-07T12:00Z'),
    looks('2027-06-08T00:00Z'),
  ],
};

const FREEZES_OF_TWO: Story = {
  missions: [
    { type: 'STREAK', target: ENDLESS, programmaticCode: 'A', position: 0 },
    { type: 'STREAK', target: ENDLESS, programmaticCode: 'B', position: 1 },
  ],
  zone: 'UTC',
  steps: [
    { ...event('2027-06-01T12:00Z'), code: 'A' },
    { ...event('2027-06-01T12:00Z'), code: 'B' },
    gets('2027-06-01T13:00Z'),
    looks('2027-06-03T00:00Z'),
    looks('2027-06-04T00:00Z'),
  ],
};

const announces = (at: string, days?: readonly [string, string]): Step => ({
  at,
  does: 'announces',
  ...(days && { days }),
});

/** A vacation whose end is changed on its second day, with a freeze and a grace period that it leaves unused. */
const VACATION: Story = {
  missions: [{ type: 'STREAK', target: ENDLESS, gracePeriods: 1 }],
  zone: 'UTC',
  steps: [
    event('2027-06-01T12:00Z'),
    gets('2027-06-01T13:00Z'),
    announces('2027-06-01T14:00Z', ['2027-06-02', '2027-06-06']),
    looks('2027-06-03T12:00Z'),
    event('2027-06-03T13:00Z'),
    announces('2027-06-03T14:00Z', ['2027-06-04', '2027-06-04']),
    announces('2027-06-04T12:00Z'),
    looks('2027-06-05T12:00Z'),
    looks('2027-06-06T00:00Z'),
    looks('2027-06-07T00:00Z'),
    looks('2027-06-08T00:00Z'),
  ],
};

/** A Thursday to the Tuesday after it: two weeks, both in part. */
const VACATION_WEEKS: Story = {
  missions: [{ type: 'STREAK', target: ENDLESS, period: 'WEEK' }],
  zone: 'UTC',
  steps: [
    event('2027-06-01T12:00Z'),
    announces('2027-06-08T12:00Z', ['2027-06-10', '2027-06-15']),
    looks('2027-06-15T12:00Z'),
    looks('2027-06-21T12:00Z'),
    event('2027-06-22T12:00Z'),
    looks('2027-07-05T00:00Z'),
  ],
};

/** One day of vacation, which the account spends in another zone. */
const VACATION_ZONES: Story = {
  missions: [{ type: 'STREAK', target: ENDLESS }],
  zone: 'Europe/Madrid',
  steps: [
    event('2027-06-01T12:00Z'),
    announces('2027-06-01T13:00Z', ['2027-06-03', '2027-06-03']),
    event('2027-06-02T12:00Z'),
    { at: '2027-06-03T10:00Z', does: 'moves', zone: 'America/Santiago' },
    looks('2027-06-04T03:59Z'),
    looks('2027-06-05T03:59Z'),
    looks('2027-06-05T04:00Z'),
  ],
};

const WESTWARDS: Story = {
  missions: [{ type: 'ROUTINE', period: 'DAY', target: units(1) }],
  zone: 'Pacific/Kiritimati',
  steps: [
    event('2027-06-01T11:00Z'),
    { at: '2027-06-01T11:01Z', does: 'moves', zone: 'UTC' },
    event('2027-06-01T11:02Z'),
    event('2027-06-02T00:00Z'),
    event('2027-06-02T23:59Z'),
    event('2027-06-03T00:00Z'),
  ],
};

const EASTWARDS: Story = {
  missions: [{ type: 'STREAK', period: 'DAY', target: units(30) }],
  zone: 'Pacific/Niue',
  steps: [
    event('2027-06-02T08:00Z'),
    { at: '2027-06-02T10:30Z', does: 'moves', zone: 'Pacific/Kiritimati' },
    looks('2027-06-03T10:00Z'),
    event('2027-06-04T09:59Z'),
    looks('2027-06-04T10:00Z'),
    looks('2027-06-05T10:00Z'),
  ],
};

const ADA_MOVES = '2027-06-09T12:00Z';
const BOB_MOVES = '2027-06-13T12:00Z';

/** A week without a kept period, in which the account moved. */
function moving(at: string): Story {
  return {
    missions: [{ type: 'STREAK', period: 'WEEK', target: units(10) }],
    zone: 'Europe/Madrid',
    steps: [event('2027-06-04T12:00Z'), { at, does: 'moves', zone: 'Asia/Tokyo' }, looks('2027-06-14T12:00Z')],
  };
}

const DEFAULT_ZONE: Story = {
  missions: [{ type: 'ROUTINE', period: 'DAY', target: units(1) }],
  clientZone: 'Pacific/Kiritimati',
  steps: [
    event('2027-06-01T11:00Z'),
    { at: '2027-06-01T11:01Z', does: 'clientMoves', zone: 'UTC' },
    event('2027-06-01T11:02Z'),
    event('2027-06-02T11:00Z'),
  ],
};

const PAUSE_STREAK: Story = {
  missions: [{ type: 'STREAK', period: 'DAY', target: units(30) }],
  steps: [
    event('2027-06-01T12:00Z'),
    { at: '2027-06-02T12:00Z', does: 'pauses' },
    event('2027-06-03T12:00Z'),
    event('2027-06-03T12:01Z', '2027-06-02T12:01Z'),
    event('2027-06-03T12:02Z', '2027-06-02T11:59Z'),
    { at: '2027-06-05T12:00Z', does: 'goesOn' },
    event('2027-06-05T12:01Z', '2027-06-05T11:59Z'),
    event('2027-06-06T23:59Z'),
    looks('2027-06-07T23:59Z'),
    looks('2027-06-08T00:00Z'),
  ],
};

const PAUSE_WAITING: Story = {
  missions: [{ type: 'MISSION', target: units(9) }],
  steps: [
    event('2027-06-02T11:00Z'),
    { at: '2027-06-02T12:00Z', does: 'pauses' },
    applied('2027-06-02T12:01Z', '2027-06-02T11:59Z'),
    { at: '2027-06-02T13:00Z', does: 'goesOn' },
    applied('2027-06-02T13:01Z', '2027-06-02T12:30Z'),
    applied('2027-06-02T13:02Z', '2027-06-02T11:58Z'),
  ],
};

const LATE_ACTIVATION: Story = {
  missions: [{ type: 'MISSION', target: units(9) }],
  isDraft: true,
  steps: [
    event('2027-06-02T11:58Z'),
    { at: '2027-06-02T12:00Z', does: 'activates' },
    event('2027-06-02T12:01Z', '2027-06-02T11:58:59Z'),
    event('2027-06-02T12:01Z', '2027-06-02T11:59Z'),
    event('2027-06-02T12:02Z'),
  ],
};

const LATE_PREREQUISITE: Story = {
  missions: [
    { type: 'MISSION', target: units(1) },
    { type: 'MISSION', target: units(9), conditions: { prerequisiteMissionIds: ['m1'] } },
  ],
  steps: [
    event('2027-06-02T13:00Z', '2027-06-02T12:00Z'),
    event('2027-06-02T13:01Z', '2027-06-02T11:59Z'),
    event('2027-06-02T13:02Z', '2027-06-02T12:00Z'),
    event('2027-06-02T13:03Z'),
  ],
};

const LATE_END: Story = {
  missions: [{ type: 'MISSION', target: units(4) }],
  steps: [
    event('2027-06-02T11:00Z'),
    { at: '2027-06-02T12:00Z', does: 'ends' },
    event('2027-06-02T12:01Z'),
    event('2027-06-02T12:02Z', '2027-06-02T11:59Z'),
    applied('2027-06-02T12:03Z', '2027-06-02T12:00Z'),
    applied('2027-06-02T12:04Z', '2027-06-02T11:58Z'),
    applied('2027-06-09T12:00Z', '2027-06-02T11:57Z'),
  ],
};

const PAUSE_CHALLENGE: Story = {
  missions: [
    { type: 'CHALLENGE', target: units(9), durationDays: 3 },
    { type: 'CHALLENGE', target: units(9), endsAt: instant('2027-06-04T12:00Z') },
  ],
  steps: [
    event('2027-06-01T12:00Z'),
    { at: '2027-06-02T12:00Z', does: 'pauses' },
    { at: '2027-06-03T12:00Z', does: 'goesOn' },
    event('2027-06-04T11:59Z'),
    event('2027-06-05T11:59Z'),
    event('2027-06-05T12:00Z'),
  ],
};

const LATE_CHALLENGE: Story = {
  missions: [{ type: 'CHALLENGE', target: units(9), durationDays: 3 }],
  steps: [
    event('2027-06-02T12:00Z'),
    event('2027-06-02T13:00Z', '2027-06-01T14:30Z'),
    event('2027-06-05T11:59Z'),
    event('2027-06-05T18:00Z', '2027-06-05T11:59Z'),
    event('2027-06-05T18:00Z', '2027-06-05T12:00Z'),
  ],
};

const LATE_JOINING: Story = {
  missions: [{ type: 'MISSION', target: units(9) }],
  isManual: true,
  steps: [
    event('2027-06-02T11:58Z'),
    { at: '2027-06-02T12:00Z', does: 'joins' },
    event('2027-06-02T12:01Z', '2027-06-02T11:58:59Z'),
    event('2027-06-02T12:01Z', '2027-06-02T11:59Z'),
    { at: '2027-06-02T18:00Z', does: 'leaves' },
    event('2027-06-02T18:10Z', '2027-06-02T17:59:59Z'),
    event('2027-06-02T18:20Z', '2027-06-02T18:00Z'),
    event('2027-06-02T18:30Z'),
    { at: '2027-06-02T19:00Z', does: 'joins' },
    event('2027-06-02T19:01Z', '2027-06-02T13:00Z'),
    event('2027-06-02T19:01Z', '2027-06-02T18:30Z'),
    event('2027-06-02T19:02Z'),
  ],
};

const CHALLENGE_COLUMNS = [utc, clock, what, counts(), expires(), expiresOnClock()];

/** A challenge of one day, with events at its beginning, a minute before its end, and at its end. */
function challengeIn(begin: string, end: string): Story {
  const before = new Date(instant(end) - 60_000).toISOString();
  return {
    missions: [{ type: 'CHALLENGE', target: units(9), durationDays: 1 }],
    zone: 'Europe/Madrid',
    steps: [begin, before, end].map((at) => event(at)),
  };
}

const LEAP_DAY: Story = {
  missions: [
    { type: 'STREAK', period: 'DAY', target: units(30) },
    { type: 'ROUTINE', period: 'MONTH', target: units(9) },
  ],
  steps: ['2028-02-28', '2028-02-29', '2028-03-01'].map((date) => event(`${date}T12:00Z`)),
};

const YEAR_END: Story = {
  missions: [
    { type: 'ROUTINE', period: 'WEEK', target: units(9) },
    { type: 'STREAK', period: 'WEEK', target: units(10) },
  ],
  steps: ['2026-12-27', '2026-12-28', '2027-01-01', '2027-01-03', '2027-01-04'].map((date) => event(`${date}T12:00Z`)),
};

function tableOf(story: Story, columns: readonly Column[]): string[][] {
  return [columns.map(({ head }) => head), ...play(story).map((moment) => cells(columns, moment))];
}

/** Several accounts in one table, in chronological order. */
function tableOfAccounts(stories: Record<string, Story>, columns: readonly Column[]): string[][] {
  const moments = Object.entries(stories)
    .flatMap(([name, story]) => play(story).map((moment) => ({ name, moment })))
    .toSorted((a, b) => a.moment.now - b.moment.now);
  const rows = moments.map(({ name, moment }) => [name, ...cells(columns, moment)]);
  return [['Account', ...columns.map(({ head }) => head)], ...rows];
}

function cells(columns: readonly Column[], moment: Moment): string[] {
  return columns.map(({ cell }) => cell(moment));
}

/** The begin, the end and the length of days in a zone. */
function days(zone: string, dates: readonly string[]): string[][] {
  const calendar = calendarOfZone(zone);
  const rows = dates.map((date) => {
    const day = periodAt('DAY', calendar, instant(`${date}T12:00Z`));
    const [start, end] = [periodStart('DAY', day, calendar), periodEnd('DAY', day, calendar)];
    return [periodKey('DAY', day), utcText(start), utcText(end), String((end - start) / HOUR)];
  });
  return [[`Day (${zone})`, 'Begins (UTC)', 'Ends (UTC)', 'Hours'], ...rows];
}
