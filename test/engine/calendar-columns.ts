import { uncountedReasons } from '../../gen/uncounted-reasons.ts';
import { viewMission } from '../../src/engine/missions/view-mission.ts';
import { periodAt } from '../../src/engine/time/calendar.ts';
import { periodKey, type PeriodUnit } from '../../src/engine/time/period.ts';
import type { Timestamp } from '../../src/kernel/time/timestamp.ts';
import { ONE } from '../../src/kernel/amount.ts';
import { zoneOf } from '../../src/kernel/time/zone-history.ts';
import { instant } from './fixtures.ts';
import type { Moment } from './story.ts';

/** A column of a table: its head, and the text for each moment. */
export type Column = { readonly head: string; readonly cell: (moment: Moment) => string };

const NOTHING = '';
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2027-06-01 11:00`, with seconds if they are not zero. */
export function utcText(time: Timestamp): string {
  return new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/(:00)?\.000Z$/, '');
}

/** `Tue 1 Jun 11:00`, the local time in a zone. */
export function clockText(time: Timestamp, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  const date = `${WEEKDAYS[local.dayOfWeek - 1]} ${local.day} ${MONTHS[local.month - 1]}`;
  return `${date} ${local.toPlainTime().toString()}`.replace(/:00$/, '');
}

export const utc: Column = { head: 'When (UTC)', cell: ({ now }) => utcText(now) };

export const clock: Column = {
  head: "The account's clock",
  cell: ({ now, account }) => {
    const zone = zoneOf(account.calendar, now);
    return `${clockText(now, zone)} (${zone})`;
  },
};

const UNITS: Record<PeriodUnit, string> = { DAY: 'Day', WEEK: 'Week', MONTH: 'Month' };

/** The present period. */
export function period(unit: PeriodUnit): Column {
  return {
    head: UNITS[unit],
    cell: ({ now, account }) => periodKey(unit, periodAt(unit, account.calendar, now)),
  };
}

export const what: Column = {
  head: 'What happens',
  cell: ({ step: { at, does, occurredAt = at, acceptedAt, zone, code, days } }) => {
    const of = code === undefined ? '' : ` of ${code}`;
    const words: Record<typeof does, string> = {
      event: `${eventText(at, occurredAt, acceptedAt)}${of}`,
      getsFreeze: 'the account gets a freeze',
      announces: days === undefined ? 'the vacation is withdrawn' : `a vacation is announced: ${days[0]} to ${days[1]}`,
      looks: 'somebody looks',
      pauses: 'the campaign is paused',
      activates: 'the campaign is activated',
      goesOn: 'the campaign resumes',
      ends: 'the campaign is ended',
      joins: 'the account joins the audience',
      leaves: 'the account leaves the audience',
      moves: `the account moves to ${zone}`,
      clientMoves: `the client's default becomes ${zone}`,
    };
    return words[does];
  },
};

function eventText(at: string, occurredAt: string, acceptedAt: string | undefined): string {
  if (acceptedAt !== undefined) return `event is applied that was accepted at ${utcText(instant(acceptedAt))}`;
  return occurredAt === at ? 'event' : `event that occurred at ${utcText(instant(occurredAt))}`;
}

/** The reason for which an event does not count for a mission, or that it counts. */
export function counts(missionId = 'm1', head = 'Does it count?'): Column {
  return {
    head,
    cell: ({ decisions }) => {
      const decision = decisions.find((each) => 'missionId' in each && each.missionId === missionId);
      if (decision === undefined) return NOTHING;
      if (decision.kind !== 'uncounted') return decision.kind === 'completed' ? 'yes, and completes it' : 'yes';
      const reason = uncountedReasons[decision.reason].replace(/\.$/, '');
      return `no: ${reason[0]!.toLowerCase()}${reason.slice(1)}`;
    },
  };
}

/** A column for the feed's entry of a mission. */
function seen(head: string, missionId: string, text: (view: NonNullable<View>, moment: Moment) => string): Column {
  return {
    head,
    cell: (moment) => {
      const view = viewMission(moment.account.plan(missionId), moment.account, moment.now);
      return view === undefined ? 'not in the feed' : text(view, moment);
    },
  };
}

type View = ReturnType<typeof viewMission>;

/** `1 of 3`, and the status if it is not ACTIVE. */
export function progress(missionId = 'm1', head = 'Progress'): Column {
  return seen(head, missionId, (view) => {
    const sum = `${view.progress / ONE} of ${view.target / ONE}`;
    return view.status === 'ACTIVE' ? sum : `${sum}, ${view.status}`;
  });
}

/** The present run. */
export function streak(missionId = 'm1', head = 'Streak'): Column {
  return seen(head, missionId, (view) => String(view.streak?.current));
}

/** The longest run. */
export const longest: Column = seen('Longest', 'm1', (view) => String(view.streak?.longest));

/** The milestones whose rewards the event delivers. */
export const milestones: Column = {
  head: 'Paid milestones',
  cell: ({ decisions }) =>
    decisions
      .flatMap((decision) => ('milestones' in decision ? (decision.milestones ?? []) : []))
      .map(({ length }) => length)
      .join(' and '),
};

/** The shortest milestone that was not reached. */
export const nextMilestone: Column = seen('Next milestone', 'm1', (view) => String(view.nextMilestone?.length ?? ''));

/** The freezes that the account owns. */
export const freezes: Column = {
  head: 'Freezes',
  cell: ({ account }) => String(account.freezes?.present.owned ?? 0),
};

/** Missed periods that the run can still survive. */
export const gracePeriods: Column = seen('Grace periods left', 'm1', (view) => String(view.streak?.freezesLeft));

/** Whether the present period is kept, and the last time to save the run, in UTC. */
export const keptToday: Column = seen('Kept today?', 'm1', ({ today }) => (today?.isKept === true ? 'yes' : 'no'));
export const keepUntil: Column = seen('Keep it until (UTC)', 'm1', ({ today }) =>
  today?.keepUntil === undefined ? NOTHING : utcText(today.keepUntil),
);

/** The end, in UTC. */
export function expires(missionId = 'm1', head = 'Expires (UTC)'): Column {
  return seen(head, missionId, ({ expiresAt }) => (expiresAt === undefined ? 'open' : utcText(expiresAt)));
}

/** The end, in the account's zone. */
export function expiresOnClock(missionId = 'm1'): Column {
  return seen("Expires on the account's clock", missionId, ({ expiresAt }, { account, now }) =>
    expiresAt === undefined ? 'open' : clockText(expiresAt, zoneOf(account.calendar, now)),
  );
}
