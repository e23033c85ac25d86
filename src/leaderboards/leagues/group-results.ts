import {
  type GroupKey,
  groupsAfter,
  type LeagueOutcome,
  type Leagues,
  outcomeAt,
  prizesOf,
} from '../../engine/leaderboards/leagues.ts';
import { type Prize, prizeRules } from '../../engine/leaderboards/prizes.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type RankedEntry, withRanks } from '../ranks/ranked-entries.ts';
import type { Winner } from '../runs/winners.ts';
import { groupEntries, type GroupedRun } from './places.queries.ts';

/** A group with the ranks within it, the best first. */
export type RankedGroup = GroupKey & { readonly entries: readonly RankedEntry[] };

/** Some groups with their ranks, exact in the snapshot of the statement. */
export async function rankedGroups(
  uow: UnitOfWork,
  run: GroupedRun,
  groups: readonly GroupKey[],
): Promise<RankedGroup[]> {
  const keyOf = ({ league, group }: GroupKey) => `${league} ${group}`;
  const entries = Map.groupBy(await groupEntries(uow, run, groups), keyOf);
  return groups.map(({ league, group }) => {
    const own = entries.get(keyOf({ league, group })) ?? [];
    return { league, group, entries: withRanks(own, { rank: 1, position: 1 }) };
  });
}

/** The result of an account in its group. */
export type GroupResult = GroupKey & { readonly entry: RankedEntry; readonly outcome: LeagueOutcome };

/** The effects of a close on some groups. */
export type Settlement = { readonly results: readonly GroupResult[]; readonly winners: readonly Winner[] };

/** A run with leagues and the prizes of its groups. */
export type LeagueRun = GroupedRun & {
  readonly leagues: Leagues;
  readonly places: readonly number[];
  readonly prizes: readonly Prize[];
};

/** The outcomes and the winners of some groups. */
export async function settlementOf(uow: UnitOfWork, run: LeagueRun, groups: readonly GroupKey[]): Promise<Settlement> {
  const ranked = await rankedGroups(uow, run, groups);
  const results = ranked.flatMap(({ league, group, entries }) =>
    entries.map((entry, index): GroupResult => {
      return { league, group, entry, outcome: outcomeAt(run.leagues, league, entries.length, index + 1) };
    }),
  );
  const winners = ranked.flatMap(({ league, group, entries }) => {
    const rules = prizeRules(prizesOf(run.prizes, league), entries.length);
    return entries.flatMap((entry, index): Winner[] => {
      const rewardIds = rules.rewardsAt({ rank: entry.rank, position: index + 1 });
      return rewardIds.length === 0 ? [] : [{ entry, rewardIds, group: { league, group } }];
    });
  });
  return { results, winners };
}

/** Accounts in one step of {@link settlements}. */
const STEP = 1_000;

/** The settlements of all groups of a run, step by step. */
export async function* settlements(uow: UnitOfWork, run: LeagueRun): AsyncGenerator<Settlement> {
  for (let after: GroupKey = { league: 0, group: 0 }; ;) {
    const groups = groupsAfter(run.leagues, run.places, after, STEP);
    if (groups.length === 0) return;
    yield await settlementOf(uow, run, groups);
    after = groups.at(-1)!;
  }
}
