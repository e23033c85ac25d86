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

/** An entry with its rank, and those around it, the best first. At most three ranks are looked up, whatever their number. */
export async function rankedAround(
  uow: UnitOfWork,
  runId: string,
  own: ListedEntry,
  around: number,
): Promise<{ readonly entry: RankedEntry; readonly rows: RankedEntry[] }> {
  const [nearest, after] = await Promise.all([
    entriesBefore(uow, runId, own, around),
    around === 0 ? [] : entriesAfter(uow, runId, own, around),
  ]);
  const before = nearest.toReversed();
  const worse = after.find(({ score }) => score !== own.score);
  const best = before[0]?.score ?? own.score;
  const [rank, bestRank, worseRank] = await ranksOf(uow, runId, [own.score, best, worse?.score ?? own.score]);
  const better = before.filter(({ score }) => score !== own.score);
  // The last of the better entries is at the place before the own rank.
  const position = rank! - better.length;
  const ranked = withRanks(better, { rank: bestRank!, position });
  const equal = [...before.slice(better.length), own, ...after.filter(({ score }) => score === own.score)];
  const others = withRanks(
    after.filter(({ score }) => score !== own.score),
    { rank: worseRank!, position: worseRank! },
  );
  return {
    entry: { ...own, rank: rank! },
    rows: [...ranked, ...equal.map((entry) => ({ ...entry, rank: rank! })), ...others],
  };
}
