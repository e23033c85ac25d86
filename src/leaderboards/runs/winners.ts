import { type GroupKey, prizesOf } from '../../engine/leaderboards/leagues.ts';
import { type Place, type Prize, prizeRules } from '../../engine/leaderboards/prizes.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { withRanks, type RankedEntry } from '../ranks/ranked-entries.ts';
import { entriesAfter, type EntryPosition } from '../ranks/ranks.queries.ts';

/** An entry that gets prizes. */
export type Winner = {
  readonly entry: RankedEntry;
  readonly rewardIds: readonly string[];
  /** The group within which the entry has its rank; undefined for a prize of the whole run. */
  readonly group?: GroupKey;
};

/** The last place that is decided; undefined at the beginning. */
export type LastPlace = Place & { readonly entry: EntryPosition };

/** The next winners of a run. */
export type NextWinners = {
  readonly winners: readonly Winner[];
  /** The last of the read places. */
  readonly last: LastPlace | undefined;
  /** Whether no winner follows. */
  readonly isEnd: boolean;
};

/** Reads the next places of a run, and who of them gets which prizes of the whole run. @param entries the number of all entries */
export async function nextWinners(
  uow: UnitOfWork,
  run: { readonly id: string; readonly entries: number; readonly prizes: readonly Prize[] },
  after: LastPlace | undefined,
  limit: number,
): Promise<NextWinners> {
  const prizes = prizesOf(run.prizes);
  const rules = prizeRules(prizes, run.entries);
  if (prizes.length === 0) return { winners: [], last: after, isEnd: true };
  const found = await entriesAfter(uow, run.id, after?.entry, limit);
  const position = (after?.position ?? 0) + 1;
  const [first] = found;
  const isTied = after !== undefined && first?.score === after.entry.score;
  const ranked = withRanks(found, { rank: isTied ? after.rank : position, position });
  const placed = ranked.map((entry, index) => ({ entry, rank: entry.rank, position: position + index }));
  const end = placed.findIndex((place) => rules.isBeyond(place));
  const decided = end === -1 ? placed : placed.slice(0, end);
  const winners = decided.flatMap((place) => {
    const rewardIds = rules.rewardsAt(place);
    return rewardIds.length === 0 ? [] : [{ entry: place.entry, rewardIds }];
  });
  return { winners, last: decided.at(-1) ?? after, isEnd: end !== -1 || found.length < limit };
}

/** Reads places in one step of {@link allWinners}. */
const STEP = 1_000;

/** The first winners of prizes of the whole run, how many there are in all, and how often each reward is given. It reads the places of all winners. */
export async function allWinners(
  uow: UnitOfWork,
  run: { readonly id: string; readonly entries: number; readonly prizes: readonly Prize[] },
  shown: number,
): Promise<{
  readonly winners: readonly Winner[];
  readonly total: number;
  readonly given: ReadonlyMap<string, number>;
}> {
  const first: Winner[] = [];
  const given = new Map<string, number>();
  let total = 0;
  for (let after: LastPlace | undefined; ;) {
    const { winners, last, isEnd } = await nextWinners(uow, run, after, STEP);
    first.push(...winners.slice(0, shown - first.length));
    total += winners.length;
    for (const { rewardIds } of winners) for (const id of rewardIds) given.set(id, (given.get(id) ?? 0) + 1);
    if (isEnd) return { winners: first, total, given };
    after = last;
  }
}
