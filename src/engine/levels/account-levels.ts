import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { StatisticValues } from '../statistics/statistic-values.ts';
import { currentLevel, decideLevel, type HeldLevel, type LevelMove } from './held-level.ts';
import { type LevelTrack, type LevelValues, periodsOfTrack } from './level-track.ts';

/** The levels of an account, as its next event sees them. */
export type AccountLevels = {
  /** The tracks of the client, by id. */
  readonly tracks: ReadonlyMap<string, LevelTrack>;
  /** The stored states by the id of the track. Decisions replace them, so that a copy of an account shares them. */
  held: ReadonlyMap<string, HeldLevel>;
  /** The time at which reviews are due, and in whose periods values count. */
  readonly now: Timestamp;
};

/** The levels of an account whose client has no tracks. */
export const NO_LEVELS: AccountLevels = { tracks: new Map(), held: new Map(), now: 0 };

/** The parts of an account on which its levels depend. */
export type LeveledAccount = {
  readonly levels: AccountLevels;
  readonly statistics: Pick<StatisticValues, 'at'>;
};

/** The values of an account in a track. @param reviewed those by which reviews are carried out */
export function levelValuesOf(
  track: Pick<LevelTrack, 'statistic'>,
  statistics: Pick<StatisticValues, 'at'>,
  now: Timestamp,
  reviewed = statistics,
): LevelValues {
  const { previous } = periodsOfTrack(track, now);
  const { id } = track.statistic;
  return {
    current: statistics.at(id, now),
    previous: previous && statistics.at(id, previous.from),
    endedAt: (instant) => reviewed.at(id, previous === undefined ? now : instant - 1),
  };
}

/** The number of an account's level in a track: from 1, 0 for none. Undefined for an unknown track. */
export function levelNumberOf({ levels, statistics }: LeveledAccount, trackId: string): number | undefined {
  const track = levels.tracks.get(trackId);
  if (track === undefined) return undefined;
  return currentLevel(track, levels.held.get(trackId), levelValuesOf(track, statistics, levels.now), levels.now).number;
}

/** The levels of an account after an event. */
export type DecidedLevels = {
  /** The states to store, by the id of the track. */
  readonly changed: ReadonlyMap<string, HeldLevel>;
  readonly moves: readonly LevelMove[];
};

/** The outcome for an account whose levels stay as they are. */
export const NO_MOVES: DecidedLevels = { changed: new Map(), moves: [] };

/**
 * Decides about all levels of an account after an event, whose statistics are those after it. Records the new states.
 * @param before the statistics before the event: a review that was due goes by them
 * @param isWanted the tracks about which it decides; all by default
 */
export function decideLevels(
  { levels, statistics }: LeveledAccount,
  before: Pick<StatisticValues, 'at'>,
  isWanted?: (track: LevelTrack) => boolean,
): DecidedLevels {
  const { tracks, held, now } = levels;
  let changed: Map<string, HeldLevel> | undefined;
  const moves: LevelMove[] = [];
  for (const track of tracks.values()) {
    if (isWanted?.(track) === false) continue;
    const state = held.get(track.id);
    const decided = decideLevel(track, state, levelValuesOf(track, statistics, now, before), now);
    if (decided.held === undefined || decided.held === state) continue;
    changed = (changed ?? new Map<string, HeldLevel>()).set(track.id, decided.held);
    if (decided.move !== undefined) moves.push(decided.move);
  }
  if (changed === undefined) return NO_MOVES;
  levels.held = new Map([...held, ...changed]);
  return { changed, moves };
}

/** The levels as they are now, which later decisions leave alone. */
export function copyOfLevels(levels: AccountLevels): AccountLevels {
  return levels.tracks.size === 0 ? levels : { ...levels };
}
