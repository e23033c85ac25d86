import type { Connection } from '../connection/connection.ts';
import type { Streak } from '../feed.ts';
import { type Period, type PeriodUnit, recentPeriods } from './periods.ts';

/**
 * The state of a period, as far as it is known. `run`: it belongs to the present run, kept or bridged. The service has no history of a streak
 * by period, so most periods before the run are `unknown`.
 */
export type State = 'kept' | 'run' | 'freeze' | 'vacation' | 'missed' | 'open' | 'unknown';

/** A period of the calendar. */
export type Marked = { readonly period: Period; readonly state: State; readonly isPresent: boolean };

/** The days of an account, as far as the service knows them beside the runs. */
export type Days = {
  /** The present day of the account. */
  readonly today: string;
  readonly vacations: readonly Pick<Period, 'since' | 'until'>[];
  /** The periods that a freeze bridges, each with the id of its mission: `<mission> <period>`. */
  readonly frozen: ReadonlySet<string>;
};

type Line = { readonly amount: number; readonly missionId?: string; readonly periodKey?: string };

/** More lines than a year of freezes has. Beyond them a bridged period is one of the run. */
const LINES = 200;

/** Reads the days of the account. */
export async function readDays(connection: Connection): Promise<Days> {
  const [freezes, { today, daysMax, rows }] = await Promise.all([
    connection.read<{ readonly rows: readonly Line[] }>(`/v1/accounts/me/streak-freezes?limit=${LINES}`),
    connection.read<{ readonly today: string; readonly daysMax: number; readonly rows: Days['vacations'] }>(
      '/v1/accounts/me/vacations',
    ),
  ]);
  // A late event gives a used freeze back: the lines of a period add up.
  const used = new Map<string, number>();
  for (const { missionId, periodKey, amount } of freezes.rows) {
    if (periodKey === undefined) continue;
    const name = `${missionId} ${periodKey}`;
    used.set(name, (used.get(name) ?? 0) + amount);
  }
  const frozen = new Set([...used].filter(([, amount]) => amount < 0).map(([name]) => name));
  return { today, frozen, vacations: daysMax > 0 ? rows : [] };
}

/**
 * The recent periods of a streak, the earliest first, with nothing but what is certain. The run has `current` kept periods. A period without
 * a freeze is taken as one of them, though a grace period, a pause or a vacation may have bridged it: so the calendar never goes behind the
 * beginning of the run, and says "in the streak" rather than "kept".
 */
export function marksOf(
  { missionId, period: unit, streak }: { missionId: string; period: PeriodUnit; streak: Streak },
  { today, frozen, vacations }: Days,
): readonly Marked[] {
  const { current, longest, keptToday } = streak;
  let ofRun = current - (keptToday === true ? 1 : 0);
  // Without a run, the last period was not kept. It was missed if there was one to lose.
  let missed = current === 0 && longest > 0 ? 1 : 0;
  const stateOf = (period: Period, isPresent: boolean): State => {
    const isAway = vacations.some(({ since, until }) => since < period.until && period.since < until);
    if (isPresent) return keptToday === true ? 'kept' : isAway ? 'vacation' : 'open';
    if (frozen.has(`${missionId} ${period.key}`)) return 'freeze';
    ofRun -= 1;
    if (isAway) return 'vacation';
    if (ofRun >= 0) return 'run';
    missed -= 1;
    return missed >= 0 ? 'missed' : 'unknown';
  };
  return recentPeriods(unit, today)
    .toReversed()
    .map((period, index) => ({ period, isPresent: index === 0, state: stateOf(period, index === 0) }))
    .toReversed();
}
