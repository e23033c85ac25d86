import type { Prize } from './prizes.ts';

/** The leagues of a leaderboard. A league is named by its number, from 1, the lowest. */
export type Leagues = {
  /** The lowest first. */
  readonly names: readonly string[];
  /** The most accounts of a group. */
  readonly groupSize: number;
  /** The first accounts of a group that move up, at most half of it. */
  readonly promoted: number;
  /** The last accounts of a group that move down, at most half of it. */
  readonly relegated: number;
};

/** The effects of a closed run on the league of an account. */
export const LEAGUE_OUTCOMES = ['PROMOTED', 'RELEGATED', 'KEPT'] as const;

/** The effect of a closed run on the league of an account. */
export type LeagueOutcome = (typeof LEAGUE_OUTCOMES)[number];

/** The league in which an account begins. */
export const LOWEST_LEAGUE = 1;

/** A group of a run: both numbers are from 1. */
export type GroupKey = { readonly league: number; readonly group: number };

/** The number of groups of a league. @param places the places that were given in it */
export function groupsOf({ groupSize }: Leagues, places: number): number {
  return Math.ceil(places / groupSize);
}

/**
 * Gives accounts places in groups: the last group of a league is filled before another one begins, and no place is given twice.
 * @param taken the places that were given so far, for each league
 * @param wanted the leagues of the accounts
 */
export function givenPlaces(
  { names, groupSize }: Leagues,
  taken: readonly number[],
  wanted: readonly number[],
): { readonly places: readonly GroupKey[]; readonly taken: readonly number[] } {
  const counts = names.map((_, index) => taken[index] ?? 0);
  const places = wanted.map((league): GroupKey => {
    const before = counts[league - 1] ?? 0;
    counts[league - 1] = before + 1;
    return { league, group: Math.floor(before / groupSize) + 1 };
  });
  return { places, taken: counts };
}

/**
 * The next groups of a run, the lowest league first: at least one, and further ones while all have at most `accounts` places.
 * @param after the last group that the caller has; league 0 at the beginning
 */
export function groupsAfter(
  leagues: Leagues,
  taken: readonly number[],
  after: GroupKey,
  accounts: number,
): readonly GroupKey[] {
  const most = Math.max(1, Math.floor(accounts / leagues.groupSize));
  const found: GroupKey[] = [];
  for (let league = Math.max(after.league, LOWEST_LEAGUE); league <= leagues.names.length; league += 1) {
    const last = groupsOf(leagues, taken[league - 1] ?? 0);
    for (let group = league === after.league ? after.group + 1 : 1; group <= last; group += 1) {
      if (found.length === most) return found;
      found.push({ league, group });
    }
  }
  return found;
}

/**
 * The effect on the league of the account at a place of its group.
 * @param entries the number of entries of the group
 * @param position the place in the list, from 1
 */
export function outcomeAt(leagues: Leagues, league: number, entries: number, position: number): LeagueOutcome {
  const half = Math.floor(entries / 2);
  if (league < leagues.names.length && position <= Math.min(leagues.promoted, half)) return 'PROMOTED';
  if (league > LOWEST_LEAGUE && position > entries - Math.min(leagues.relegated, half)) return 'RELEGATED';
  return 'KEPT';
}

/** The league after a run. */
export function leagueAfter(league: number, outcome: LeagueOutcome): number {
  return league + (outcome === 'PROMOTED' ? 1 : outcome === 'RELEGATED' ? -1 : 0);
}

/** The prizes of the groups of a league, or, without a league, those of the whole run. */
export function prizesOf(prizes: readonly Prize[], league?: number): readonly Prize[] {
  return prizes.filter((prize) => prize.league === league);
}
