import type { MissionRule } from '../../src/engine/missions/mission-rule.ts';
import type { PeriodUnit } from '../../src/engine/time/period.ts';
import { ONE, type Amount } from '../../src/kernel/amount.ts';
import { DAY, type Timestamp } from '../../src/kernel/time/timestamp.ts';

/** An event, with the times of its occurrence and its application. */
export type Arrival = {
  readonly at: Timestamp;
  readonly now: Timestamp;
  readonly amount: Amount;
  /** The time of its acceptance, if it waited before its application. */
  readonly acceptedAt?: Timestamp | undefined;
  /** Whether it is judged as of its occurrence, however late it is applied. */
  readonly backfilled?: boolean;
};

/** The time as of which an arrival is judged. */
function judgedAt({ at, now, backfilled = false }: Arrival): Timestamp {
  return backfilled ? at : now;
}

/** A zone of an account and its first moment, oldest first; the first zone begins at `-Infinity`. */
export type Stay = { readonly from: Timestamp; readonly zone: string };

/** A pause of a campaign; its end is `Infinity` while it lasts. */
export type Pause = { readonly from: Timestamp; readonly until: Timestamp };

/** Days of a vacation, announced at a time. They replace the days that were announced before and had not begun. */
export type Announcement = { readonly at: Timestamp; readonly dates: readonly string[] };

/** The time zones of an account and its vacations, and the known pauses of the campaign. */
export type Life = {
  readonly stays: readonly Stay[];
  readonly pauses: readonly Pause[];
  readonly announcements?: readonly Announcement[];
};

/** The result of a mission, in its simplest form. */
export type Outcome = {
  readonly progress: Amount;
  /** Whether the target was reached, at least once. */
  readonly isComplete: boolean;
  /** Whether no further event counts: all rounds are completed. */
  readonly isOver: boolean;
  /** The completed rounds. */
  readonly completions: number;
  readonly streak?: { readonly current: number; readonly longest: number; readonly freezesLeft: number };
};

/** The present period of a streak, as reads show it. */
export type Today = {
  readonly progress: Amount;
  readonly target: Amount;
  readonly isKept: boolean;
  readonly endsAt: Timestamp;
  readonly keepUntil: Timestamp | undefined;
};

/** The part of a life that is known at an instant: a pause with a later end is still open. */
export function lifeUntil({ stays, pauses, announcements = [] }: Life, now: Timestamp): Life {
  return {
    announcements: announcements.filter(({ at }) => at <= now),
    stays: stays.filter(({ from }) => from <= now),
    pauses: pauses
      .filter(({ from }) => from <= now)
      .map(({ from, until }) => ({ from, until: until <= now ? until : Infinity })),
  };
}

/**
 * A second implementation of the rules, as simple as possible: after every arrival it adds up all events so far, on Temporal's calendar. It
 * keeps only the list of arrivals as state, so it cannot have the engine's faults of state.
 */
export function replay(rule: MissionRule, life: Life, arrivals: readonly Arrival[], now: Timestamp): Outcome {
  for (let count = 1; count <= arrivals.length; count += 1) {
    const seen = arrivals.slice(0, count);
    const last = seen.at(-1)!;
    const outcome = addUp(rule, lifeUntil(life, last.now), seen, judgedAt(last));
    if (outcome.isOver) return outcome;
  }
  return addUp(rule, lifeUntil(life, now), arrivals, now);
}

/**
 * The longest run that a streak has ever shown right after an event, also if it is not seen any more: all milestones up to it were reached.
 */
export function longestEver(rule: MissionRule, life: Life, arrivals: readonly Arrival[]): number {
  const lengths = arrivals.map((last, index) => {
    const seen = arrivals.slice(0, index + 1);
    return addUp(rule, lifeUntil(life, last.now), seen, judgedAt(last)).streak!.longest;
  });
  return Math.max(0, ...lengths);
}

/** The progress of each period of a ROUTINE by its key, without the periods after its last occurrence. */
export function replayRoutine(rule: MissionRule, life: Life, arrivals: readonly Arrival[]): Map<string, Amount> {
  const progress = new Map<string, Amount>();
  for (const arrival of arrivals) {
    if (!isAdmitted(rule, life, arrival)) continue;
    const complete = [...progress.values()].filter((sum) => sum === rule.target).length;
    if (complete === rule.occurrences) break;
    const key = keyAt(rule, life, arrival.at);
    const sum = (progress.get(key) ?? 0n) + countedAmount(rule, arrival);
    progress.set(key, sum < rule.target ? sum : rule.target);
  }
  return progress;
}

/**
 * The present period of a streak that is not complete, and the time at which its run is lost without another event: the first beginning of
 * a period at which a read shows no run. The campaign must not be paused.
 */
export function streakToday(rule: MissionRule, life: Life, arrivals: readonly Arrival[], now: Timestamp): Today {
  const known = lifeUntil(life, now);
  const { perPeriodTarget: target = ONE } = rule;
  const unit = unitOf(rule);
  const counting = arrivals.filter((arrival) => isAdmitted(rule, life, arrival));
  const present = periodOf(unit, known, now);
  const sum = sumsByPeriod(rule, known, counting).get(present.toString()) ?? 0n;
  const hasRun = (at: Timestamp) => walk(rule, known, counting, at).streak!.current > 0;
  let next = following(unit, present);
  const isRunning = hasRun(now);
  if (isRunning) while (hasRun(beginOfDay(known, next))) next = following(unit, next);
  return {
    progress: sum < target ? sum : target,
    target,
    isKept: sum >= target,
    endsAt: periodEndAt(rule, life, now),
    keepUntil: isRunning ? beginOfDay(known, next) : undefined,
  };
}

/** The first moment after the period in which `now` lies. */
export function periodEndAt(rule: MissionRule, life: Life, now: Timestamp): Timestamp {
  const known = lifeUntil(life, now);
  return beginOfDay(known, following(unitOf(rule), periodOf(unitOf(rule), known, now)));
}

/** The first moment of a future day, in the last zone of a life. */
function beginOfDay({ stays }: Life, date: Temporal.PlainDate): Timestamp {
  return date.toZonedDateTime(stays.at(-1)!.zone).epochMilliseconds;
}

/** The next time at which events count, in the account's zone at `now`; events do not count at `now`. */
export function opensNext(rule: MissionRule, life: Life, now: Timestamp): Timestamp {
  const known = lifeUntil(life, now);
  const { zone } = known.stays.at(-1)!;
  const plainTime = rule.conditions?.timeFrom ?? '00:00';
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  const begins = Array.from({ length: 9 }, (_, days) => {
    const date = today.add({ days });
    return [date.toZonedDateTime(zone), date.toZonedDateTime({ timeZone: zone, plainTime })];
  });
  const moments = begins.flat().map(({ epochMilliseconds }) => epochMilliseconds);
  return Math.min(...moments.filter((moment) => moment > now && isOpen(rule, known, moment)));
}

/** The outcome as of `now`. @param known the life as far as it is known, which may be further than `now` */
function addUp(rule: MissionRule, known: Life, arrivals: readonly Arrival[], now: Timestamp): Outcome {
  const counting = withoutTooLate(
    rule,
    known,
    arrivals.filter((arrival) => isAdmitted(rule, known, arrival)),
  );
  return rule.type === 'STREAK' ? walk(rule, known, counting, now) : total(rule, known, counting);
}

/**
 * The arrivals without backfilled ones of a settled period. A period in which an event counted is settled once another counts two days or
 * more after its end, together with all periods before it. Only missions with sums by period settle any.
 */
export function withoutTooLate(rule: MissionRule, life: Life, arrivals: readonly Arrival[]): readonly Arrival[] {
  const { maxPerPeriod } = rule.conditions ?? {};
  if (rule.type !== 'STREAK' && maxPerPeriod === undefined) return arrivals;
  const unit = unitOf(rule);
  const goal = rule.type === 'STREAK' ? (rule.perPeriodTarget ?? ONE) : maxPerPeriod!;
  const enough = maxPerPeriod !== undefined && maxPerPeriod < goal ? maxPerPeriod : goal;
  const kept: Arrival[] = [];
  const counted = new Set<string>();
  let settled = '';
  for (const arrival of arrivals) {
    const period = periodOf(unit, life, arrival.at).toString();
    if (arrival.backfilled === true && period <= settled) continue;
    const isFull = (sumsByPeriod(rule, life, kept).get(period) ?? 0n) >= enough;
    kept.push(arrival);
    // An event that does not count settles nothing.
    if (isFull) continue;
    const oldest = periodOf(unit, life, judgedAt(arrival) - 2 * DAY).toString();
    for (const other of counted) if (other < oldest && other > settled) settled = other;
    counted.add(period);
  }
  return kept;
}

function isAdmitted(rule: MissionRule, life: Life, arrival: Arrival): boolean {
  const isLarge = arrival.amount >= (rule.conditions?.minAmount ?? 1n);
  return isLarge && isRunning(life, arrival) && isOpen(rule, life, arrival.at);
}

/** Whether events count at the account's time of day and day of the week. Hours across midnight belong to the day on which they begin. */
export function isOpen({ conditions = {} }: MissionRule, { stays }: Life, at: Timestamp): boolean {
  const zone = stays.findLast(({ from }) => from <= at)!.zone;
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const from = conditions.timeFrom ?? '00:00';
  const to = conditions.timeTo === undefined || conditions.timeTo === '00:00' ? '24:00' : conditions.timeTo;
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const yesterday = local.toPlainDate().subtract({ days: 1 });
  if (from < to) return from <= time && time < to && isDay(conditions, local.dayOfWeek);
  if (time >= from) return isDay(conditions, local.dayOfWeek);
  return time < to && isDay(conditions, yesterday.dayOfWeek);
}

/** Whether events count on a day of the week. */
export function isDay({ daysOfWeek = [] }: NonNullable<MissionRule['conditions']>, dayOfWeek: number): boolean {
  return daysOfWeek.length === 0 || daysOfWeek.includes(dayOfWeek);
}

/**
 * Whether the campaign was active at the occurrence and at the acceptance of an event. A pause at the time of its application has no
 * effect.
 */
export function isRunning({ pauses }: Pick<Life, 'pauses'>, arrival: Arrival): boolean {
  const { at, acceptedAt = judgedAt(arrival) } = arrival;
  return !pauses.some(({ from, until }) => (from <= at && at < until) || (from <= acceptedAt && acceptedAt < until));
}

function total(rule: MissionRule, life: Life, arrivals: readonly Arrival[]): Outcome {
  const begin = arrivals[0]?.at ?? 0;
  const counting = arrivals.filter(({ at }) => runningSince(life, begin, at) < daysOf(rule) * DAY);
  const sum = [...sumsByPeriod(rule, life, counting).values()].reduce((a, b) => a + b, 0n);
  const max = rule.repeat === undefined ? 1 : (rule.repeat.max ?? Infinity);
  let [completions, progress] = [0, sum];
  while (progress >= rule.target && completions < max) {
    completions += 1;
    progress -= rule.target;
  }
  const isOver = completions === max;
  return { progress: isOver ? rule.target : progress, isComplete: completions > 0, isOver, completions };
}

/** The part of an event that a mission adds up, before its cap. */
function countedAmount({ counts }: MissionRule, { amount }: Arrival): Amount {
  return counts === 'EVENTS' ? ONE : amount;
}

/** The duration of a CHALLENGE in days, from its first event. */
export function daysOf({ type, durationDays }: MissionRule): number {
  return type === 'CHALLENGE' ? (durationDays ?? Infinity) : Infinity;
}

function pausedBetween({ pauses }: Life, begin: Timestamp, end: Timestamp): number {
  const parts = pauses.map(({ from, until }) => Math.min(until, end) - Math.max(from, begin));
  return parts.reduce((sum, part) => sum + Math.max(0, part), 0);
}

/** A streak of an account that owns freezes, with its events. */
export type FreezingStreak = { readonly rule: MissionRule; readonly arrivals: readonly Arrival[] };

/** Freezes that an account got at a time. */
export type Gift = { readonly at: Timestamp; readonly count: number };

/** The streaks of an account with freezes. */
export type Frozen = {
  /** The freezes that are left. */
  readonly owned: number;
  /** The first days of the bridged periods of each streak, in the order of the streaks. */
  readonly bridged: readonly ReadonlySet<string>[];
  /** The runs, in the same order. */
  readonly runs: readonly NonNullable<Outcome['streak']>[];
};

/**
 * The freezes that streaks without an end use: again and again, the first missed period that would end a run gets a freeze that was there
 * before its end. The streaks are in the order in which they get freezes at the same time.
 */
export function replayFreezes(
  streaks: readonly FreezingStreak[],
  life: Life,
  gifts: readonly Gift[],
  now: Timestamp,
): Frozen {
  const known = lifeUntil(life, now);
  const counting = streaks.map(({ rule, arrivals }) => arrivals.filter((arrival) => isAdmitted(rule, known, arrival)));
  const bridged = streaks.map(() => new Set<string>());
  const refused = streaks.map(() => new Set<string>());
  let used = 0;
  for (;;) {
    const losses = streaks.flatMap(({ rule }, index) => {
      const answered = new Set([...bridged[index]!, ...refused[index]!]);
      return walkFrozen(rule, known, counting[index]!, now, bridged[index]!)
        .losses.filter((period) => !answered.has(period))
        .slice(0, 1)
        .map((period) => {
          const day = Temporal.PlainDate.from(period);
          return { index, period, at: momentOfDay(known, following(unitOf(rule), day)) };
        });
    });
    const [next] = losses.toSorted((one, other) => one.at - other.at || one.index - other.index);
    if (next === undefined) break;
    const got = gifts.reduce((sum, { at, count }) => sum + (at < next.at ? count : 0), 0);
    if (got > used) {
      used += 1;
      bridged[next.index]!.add(next.period);
    } else refused[next.index]!.add(next.period);
  }
  return {
    owned: gifts.reduce((sum, { at, count }) => sum + (at <= now ? count : 0), 0) - used,
    bridged,
    runs: streaks.map(
      ({ rule }, index) => walkFrozen(rule, known, counting[index]!, now, bridged[index]!).outcome.streak!,
    ),
  };
}

/** The first moment at which the account's calendars show a day, or a later one. */
export function momentOfDay(life: Life, date: Temporal.PlainDate): Timestamp {
  const stays = livedIn(life);
  for (const [index, { from, zone }] of stays.entries()) {
    const begin = Math.max(from, date.toZonedDateTime(zone).epochMilliseconds);
    if (begin < (stays[index + 1]?.from ?? Infinity)) return begin;
  }
  throw new Error('The last stay has no end.');
}

/** Walks the calendar from the first period to the present one. */
function walk(rule: MissionRule, life: Life, arrivals: readonly Arrival[], now: Timestamp): Outcome {
  return walkFrozen(rule, life, arrivals, now, new Set()).outcome;
}

/** The same with periods that freezes bridge. @returns also the missed periods at which a run ends, oldest first */
function walkFrozen(
  rule: MissionRule,
  life: Life,
  arrivals: readonly Arrival[],
  now: Timestamp,
  bridged: ReadonlySet<string>,
): { readonly outcome: Outcome; readonly losses: readonly string[] } {
  const { perPeriodTarget = ONE, gracePeriods = 0 } = rule;
  const unit = unitOf(rule);
  const sums = sumsByPeriod(rule, life, arrivals);
  const present = periodOf(unit, life, now);
  const excused = excusedPeriods(unit, life, now).union(bridged);
  const losses: string[] = [];
  let [current, longest, freezesLeft] = [0, 0, gracePeriods];
  const first = [...sums.keys()].toSorted()[0];
  // Backfilled events may be judged as of a time before others that count.
  const kept = [...sums].filter(([, sum]) => sum >= perPeriodTarget).map(([key]) => key);
  const last = [present.toString(), ...kept].toSorted().at(-1)!;
  let period = first === undefined ? present : Temporal.PlainDate.from(first);
  for (; period.toString() <= last; period = following(unit, period)) {
    if ((sums.get(period.toString()) ?? 0n) >= perPeriodTarget) {
      current += 1;
      longest = Math.max(longest, current);
    } else if (period.equals(present) || current === 0 || excused.has(period.toString()) || isClosed(rule, period)) {
      continue;
    } else if (freezesLeft > 0) {
      freezesLeft -= 1;
    } else {
      losses.push(period.toString());
      [current, freezesLeft] = [0, gracePeriods];
    }
  }
  const isComplete = BigInt(longest) * ONE >= rule.target;
  const outcome = {
    progress: isComplete ? rule.target : BigInt(current) * ONE,
    isComplete,
    isOver: isComplete,
    completions: isComplete ? 1 : 0,
    streak: { current, longest, freezesLeft },
  };
  return { outcome, losses };
}

/** Whether no event can count on this day. */
function isClosed(rule: MissionRule, period: Temporal.PlainDate): boolean {
  return unitOf(rule) === 'DAY' && !isDay(rule.conditions ?? {}, period.dayOfWeek);
}

/** First days of the excused periods: those with a pause or a day of a vacation, and those that a journey eastwards shortened too much. */
export function excusedPeriods(unit: PeriodUnit, life: Life, now: Timestamp): Set<string> {
  const excused = new Set<string>();
  const add = (from: Temporal.PlainDate, until: Temporal.PlainDate) => {
    for (let date = from; Temporal.PlainDate.compare(date, until) < 0; date = following(unit, date))
      excused.add(date.toString());
  };
  for (const { from, until } of life.pauses) {
    const last = periodOf(unit, life, until === Infinity ? Math.max(from, now) : until - 1);
    add(periodOf(unit, life, from), following(unit, last));
  }
  for (const date of vacationDays(life)) excused.add(firstDay(unit, Temporal.PlainDate.from(date)).toString());
  const stays = livedIn(life);
  for (const [index, { from, zone }] of stays.entries()) {
    const before = stays[index - 1];
    if (before === undefined || offset(zone, from) <= offset(before.zone, from)) continue;
    // The periods that end within a day of the move, from the one in progress.
    add(periodOf(unit, life, from - 1), periodOf(unit, life, from + DAY));
  }
  return excused;
}

/** The dates of vacations: for each day, the last announcement before it began decides. */
export function vacationDays(life: Life): Set<string> {
  const { announcements = [] } = life;
  const said = (date: string) => announcements.findLast(({ at }) => latestDate(life, at).toString() < date);
  const dates = announcements.flatMap((each) => each.dates);
  return new Set(dates.filter((date) => said(date)?.dates.includes(date)));
}

function offset(zone: string, at: Timestamp): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds;
}

/** The counted amount of each period, by the date of its first day. */
export function sumsByPeriod(rule: MissionRule, life: Life, arrivals: readonly Arrival[]): Map<string, Amount> {
  const sums = new Map<string, Amount>();
  const { maxPerPeriod } = rule.conditions ?? {};
  for (const arrival of arrivals) {
    const period = periodOf(unitOf(rule), life, arrival.at).toString();
    const sum = (sums.get(period) ?? 0n) + countedAmount(rule, arrival);
    sums.set(period, maxPerPeriod !== undefined && sum > maxPerPeriod ? maxPerPeriod : sum);
  }
  return sums;
}

function unitOf(rule: MissionRule): PeriodUnit {
  return rule.period ?? 'DAY';
}

/** The first day of the period. */
export function periodOf(unit: PeriodUnit, life: Life, at: Timestamp): Temporal.PlainDate {
  return firstDay(unit, latestDate(life, at));
}

export function firstDay(unit: PeriodUnit, date: Temporal.PlainDate): Temporal.PlainDate {
  if (unit === 'DAY') return date;
  return unit === 'WEEK' ? date.subtract({ days: date.dayOfWeek - 1 }) : date.with({ day: 1 });
}

/**
 * The latest date that the account's calendars have shown so far: the date at the last moment of each earlier zone, and the present date.
 */
export function latestDate(life: Life, at: Timestamp): Temporal.PlainDate {
  const begun = livedIn(life).filter(({ from }) => from <= at);
  const dates = begun.map(({ zone }, index) => {
    const moment = begun[index + 1] === undefined ? at : begun[index + 1]!.from - 1;
    return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate();
  });
  return dates.toSorted(Temporal.PlainDate.compare).at(-1)!;
}

/** The stays with a duration above zero. */
function livedIn({ stays }: Life): Stay[] {
  return stays.filter(({ from }, index) => from !== stays[index + 1]?.from);
}

export function following(unit: PeriodUnit, date: Temporal.PlainDate): Temporal.PlainDate {
  return date.add(unit === 'DAY' ? { days: 1 } : unit === 'WEEK' ? { weeks: 1 } : { months: 1 });
}

/** The key of the period in which an instant lies. */
export function keyAt(rule: MissionRule, life: Life, at: Timestamp): string {
  return keyOf(unitOf(rule), periodOf(unitOf(rule), life, at));
}

/** The time at which `days` days without pauses have passed since `begin`; `Infinity` if a pause has no end. */
export function daysAfter({ pauses }: Life, begin: Timestamp, days: number): Timestamp {
  let [moment, left] = [begin, days * DAY];
  for (const { from, until } of pauses) {
    const running = Math.max(0, from - moment);
    if (running >= left) break;
    left -= running;
    moment = Math.max(moment, until);
  }
  return moment + left;
}

/** The time since `begin` without pauses. */
export function runningSince(life: Life, begin: Timestamp, end: Timestamp): number {
  return end - begin - pausedBetween(life, begin, end);
}

function keyOf(unit: PeriodUnit, date: Temporal.PlainDate): string {
  if (unit === 'DAY') return date.toString();
  if (unit === 'MONTH') return date.toPlainYearMonth().toString();
  return `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, '0')}`;
}
