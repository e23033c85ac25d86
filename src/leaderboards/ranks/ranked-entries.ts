import type { Amount } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { entriesAfter, entriesAt, entriesBefore, type ListedEntry, ranksOf } from './ranks.queries.ts';

/** A listed entry with its rank. */
export type RankedEntry = ListedEntry & { readonly rank: number };

/** The entries of a page with their ranks. */
export async function rankedPage(
  uow: UnitOfWork,
  runId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<RankedEntry[]> {
  const entries = await entriesAt(uow, runId, { offset, limit });
  const [first] = entries;
  if (first === undefined) return [];
  const [rank] = offset === 0 ? [1] : await ranksOf(uow, runId, [first.score]);
  return withRanks(entries, { rank: rank!, position: offset + 1 });
}

/** Ranks of successive entries. @param first the rank and the place of the first one */
export function withRanks(
  entries: readonly ListedEntry[],
  first: { readonly rank: number; readonly position: number },
): RankedEntry[] {
  let { rank } = first;
  let before: Amount | undefined = entries[0]?.score;
  return entries.map((entry, index) => {
    if (entry.score !== before) rank = first.position + index;
    before = entry.score;
    return { ...entry, rank };
  });
}

/**
 * An entry with its rank, and those around it, the best first. One rank is looked up: those of the others follow from their places. Only where
 * entries of an equal value begin before the shown ones, their rank is looked up as well, so three at most.
 */
export async function rankedAround(
  uow: UnitOfWork,
  runId: string,
  own: ListedEntry,
  around: number,
): Promise<{ readonly entry: RankedEntry; readonly rows: RankedEntry[] }> {
  // One more before tells whether a value begins among the shown entries.
  const [nearest, after] = await Promise.all([
    entriesBefore(uow, runId, own, around + 1),
    around === 0 ? [] : entriesAfter(uow, runId, own, around),
  ]);
  const before = nearest.slice(0, around).toReversed();
  const beginsEarlier = (score: Amount) => nearest[around]?.score === score;
  const isOwn = ({ score }: ListedEntry) => score === own.score;
  const better = before.filter((entry) => !isOwn(entry));
  const equal = [...before.slice(better.length), own, ...after.filter(isOwn)];
  const worse = after.filter((entry) => !isOwn(entry));
  const [best, next] = [better[0]?.score, worse[0]?.score];
  const wanted = [
    ...(best !== undefined && beginsEarlier(best) ? [best] : []),
    ...(next !== undefined && beginsEarlier(own.score) ? [next] : []),
  ];
  const [rank, ...ranks] = await ranksOf(uow, runId, [own.score, ...wanted]);
  const lookedUp = (score: Amount | undefined) => ranks[wanted.findIndex((each) => each === score)];
  // The last of the better entries is at the place before the own rank.
  const position = rank! - better.length;
  const nextRank = lookedUp(next) ?? rank! + equal.length;
  return {
    entry: { ...own, rank: rank! },
    rows: [
      ...withRanks(better, { rank: lookedUp(best) ?? position, position }),
      ...equal.map((entry) => ({ ...entry, rank: rank! })),
      ...withRanks(worse, { rank: nextRank, position: nextRank }),
    ],
  };
}
