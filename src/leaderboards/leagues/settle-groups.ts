import { indexAccounts } from '../../accounts/account-index.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { type GroupKey, groupsAfter, leagueAfter } from '../../engine/leaderboards/leagues.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { deliverPrizes } from '../runs/deliver-prizes.ts';
import { updateRun } from '../runs/runs.queries.ts';
import { type GroupResult, type LeagueRun, settlementOf } from './group-results.ts';
import { leaguesOfAccounts, storeLeagues, storeResults } from './places.queries.ts';

/** Accounts in one transaction, unless a single group has more: few, so that their events wait only for a moment. */
const BATCH = 200;

/** A run whose groups are being settled; the caller has locked it. */
export type SettlingRun = LeagueRun & { readonly leaderboardId: string; readonly settled: GroupKey };

/**
 * Settles the next groups of a run whose entries are final: it delivers their prizes, moves accounts up and down, and stores how far it came.
 * @returns the number of delivered prizes; undefined if all groups are settled
 */
export async function settleGroups(uow: UnitOfWork, run: SettlingRun, now: Date): Promise<number | undefined> {
  const groups = groupsAfter(run.leagues, run.places, run.settled, BATCH);
  const last = groups.at(-1);
  if (last === undefined) return undefined;
  const { results, winners } = await settlementOf(uow, run, groups);
  const ids = results.map(({ entry }) => entry.accountId);
  const accounts = await selectAccounts(uow, { ids, externalIds: [] }, 'change');
  const delivered = await deliverPrizes(uow, { runId: run.id, winners, accounts, now });
  await storeResults(
    uow,
    run.id,
    results.map(({ entry, outcome }) => ({ accountId: entry.accountId, rank: entry.rank, outcome })),
    now,
  );
  await storeLeagues(uow, run.leaderboardId, await changedLeagues(uow, run, results, indexAccounts(accounts).find));
  const count = (wanted: GroupResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  await updateRun(uow, run.id, {
    set: `settled_league = $3, settled_group = $4, promoted = promoted + $5, relegated = relegated + $6,
          prizes_delivered = prizes_delivered + $7`,
    values: [last.league, last.group, count('PROMOTED'), count('RELEGATED'), delivered],
  });
  return delivered;
}

/**
 * The leagues that change. An account that was merged after the end leads to its survivor. The survivor keeps the highest of the leagues; so does
 * an account that a merge has brought into a higher league than that of its group. A deleted account has none.
 */
async function changedLeagues(
  uow: UnitOfWork,
  { leaderboardId }: SettlingRun,
  results: readonly GroupResult[],
  find: ReturnType<typeof indexAccounts>['find'],
): Promise<Map<string, number>> {
  const found = results.flatMap(({ entry, league, outcome }) => {
    const account = find({ id: entry.accountId });
    if (account === undefined) return [];
    return [
      { accountId: account.id, isOwn: account.id === entry.accountId, league, next: leagueAfter(league, outcome) },
    ];
  });
  const present = await leaguesOfAccounts(uow, leaderboardId, [...new Set(found.map(({ accountId }) => accountId))]);
  const next = new Map(present);
  const [own, merged] = [found.filter(({ isOwn }) => isOwn), found.filter(({ isOwn }) => !isOwn)];
  for (const each of own) if (present.get(each.accountId)! <= each.league) next.set(each.accountId, each.next);
  for (const each of merged) next.set(each.accountId, Math.max(next.get(each.accountId)!, each.next));
  return new Map([...next].filter(([accountId, league]) => present.get(accountId) !== league));
}
