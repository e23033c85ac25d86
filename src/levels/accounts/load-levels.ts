import type { HeldLevel } from '../../engine/levels/held-level.ts';
import { overduePeriods } from '../../engine/levels/held-level.ts';
import { type LevelTrack, periodsOfTrack } from '../../engine/levels/level-track.ts';
import type { ReadStatistic, StatisticValues } from '../../engine/statistics/statistic-values.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadStatisticValues, type WantedValues } from '../../statistics/values/load-values.ts';
import { heldLevels } from './account-levels.queries.ts';

/** The statistics and the levels of accounts, by the id of the account. */
export type LoadedLevels = {
  readonly values: ReadonlyMap<string, StatisticValues>;
  /** The stored states, by track; no entry for an account without any. */
  readonly held: ReadonlyMap<string, Map<string, HeldLevel>>;
};

/** The parts to load. */
export type WantedLevels = {
  readonly tracks: readonly LevelTrack[];
  readonly accountIds: readonly string[];
  readonly now: Date;
  /** Further statistics, beside those of the tracks. */
  readonly statistics?: readonly ReadStatistic[];
  /** Further instants in whose periods values are read. */
  readonly instants?: readonly WantedValues[];
};

/**
 * Reads the states of accounts in tracks, and their values in the current period and the one before. Only accounts with reviews that are
 * overdue for more than a period need another statement.
 */
export async function loadLevels(
  uow: UnitOfWork,
  { tracks, accountIds, now, statistics = [], instants = [] }: WantedLevels,
): Promise<LoadedLevels> {
  const read = new Map([...statistics, ...tracks.map(({ statistic }) => statistic)].map((each) => [each.id, each]));
  const own = tracks.length === 0 ? [] : instantsOf(tracks, now.getTime());
  const wanted = [...instants, ...accountIds.flatMap((accountId) => own.map((at) => ({ accountId, at })))];
  const load = (some: readonly WantedValues[]) => loadStatisticValues(uow, [...read.values()], some);
  const [values, held] = await Promise.all([load(wanted), tracks.length === 0 ? NOTHING : heldLevels(uow, accountIds)]);
  const overdue = overdueValues(tracks, held, now.getTime());
  return { values: overdue.length === 0 ? values : await load([...wanted, ...overdue]), held };
}

const NOTHING: LoadedLevels['held'] = new Map();

/** The instants in whose periods the values of tracks lie: now, and the periods before. */
function instantsOf(tracks: readonly LevelTrack[], now: Timestamp): readonly Timestamp[] {
  return [...new Set([now, ...tracks.flatMap((track) => periodsOfTrack(track, now).previous?.from ?? [])])];
}

function overdueValues(tracks: readonly LevelTrack[], held: LoadedLevels['held'], now: Timestamp): WantedValues[] {
  return [...held].flatMap(([accountId, states]) =>
    tracks.flatMap((track) => {
      const state = states.get(track.id);
      if (state === undefined) return [];
      return overduePeriods(track, state, now).map((end) => ({ accountId, at: end - 1 }));
    }),
  );
}
