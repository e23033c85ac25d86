import { type GroupKey, type LeagueOutcome, LOWEST_LEAGUE } from '../../engine/leaderboards/leagues.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import { IS_LISTED } from '../entries/leaderboard-entry.entity.ts';
import type { ListedEntry } from '../ranks/ranks.queries.ts';
import { leaderboardPlaceTable } from './leaderboard-place.entity.ts';
import { leaderboardStandingTable } from './leaderboard-standing.entity.ts';

const insertWaiting = insertInto(leaderboardPlaceTable, {
  default: ['league', 'groupNumber', 'outcome', 'finalRank', 'settledAt'],
  conflict: { key: ['accountId', 'runId'], do: 'nothing' },
});

/** An account that is on the board of a run with leagues. */
type Arrival = { readonly accountId: string; readonly runId: string };

/** Lets accounts wait for a group that have none in a run. The caller has locked the accounts, and so no two events write one row. */
export async function waitForPlaces(uow: UnitOfWork, arrivals: readonly Arrival[]): Promise<void> {
  const keyOf = ({ accountId, runId }: Arrival) => `${accountId} ${runId}`;
  const sorted = arrivals.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  await insertWaiting(
    uow,
    sorted.map(({ accountId, runId }) => ({ accountId, runId })),
  );
}

/** The runs with accounts that wait for groups. */
export async function runsWithWaiting(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ runId: string }>(
    'select distinct run_id as "runId" from leaderboard_place where client_id = $1 and league is null',
    [uow.clientId],
  );
  return rows.map(({ runId }) => runId);
}

/** The next accounts that wait for groups in a run. */
export async function waitingAccounts(uow: UnitOfWork, runId: string, limit: number): Promise<string[]> {
  const rows = await uow.query<{ accountId: string }>(
    `select account_id as "accountId" from leaderboard_place where client_id = $1 and run_id = $2 and league is null
      order by client_id, run_id, account_id limit $3`,
    [uow.clientId, runId, limit],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Removes the accounts that wait for groups in a run without a close. */
export async function dropWaiting(uow: UnitOfWork, runId: string): Promise<void> {
  await uow.query('delete from leaderboard_place where client_id = $1 and run_id = $2 and league is null', [
    uow.clientId,
    runId,
  ]);
}

/** SQL of the rows `r` with the keys `$2` in run `$3`, to change them. The caller has locked the run. */
function placeRows(columns: string, arrays: string): string {
  return lockedRows({
    source: `unnest($2::uuid[], ${arrays}) as r(account_id, ${columns})`,
    alias: 'r',
    table: 'leaderboard_place',
    key: { account_id: 'r.account_id', run_id: '$3::uuid' },
  });
}

/** Stores the groups of accounts. The caller has locked the run. */
export async function storePlaces(
  uow: UnitOfWork,
  runId: string,
  places: ReadonlyArray<GroupKey & { readonly accountId: string }>,
): Promise<void> {
  await uow.query(
    `update leaderboard_place p set league = r.league, group_number = r.group_number
       from ${placeRows('league, group_number', '$4::int[], $5::int[]')} where p.client_id = $1 and p.ctid = r.row_ctid`,
    [
      uow.clientId,
      places.map(({ accountId }) => accountId),
      runId,
      places.map(({ league }) => league),
      places.map(({ group }) => group),
    ],
  );
}

/** The final result of an account in its group. */
type Result = { readonly accountId: string; readonly outcome: LeagueOutcome; readonly rank: number };

/** Stores the final results of accounts. The caller has locked the run. */
export async function storeResults(
  uow: UnitOfWork,
  runId: string,
  results: readonly Result[],
  settledAt: Date,
): Promise<void> {
  await uow.query(
    `update leaderboard_place p set outcome = r.outcome, final_rank = r.final_rank, settled_at = $6
       from ${placeRows('outcome, final_rank', '$4::text[], $5::int[]')} where p.client_id = $1 and p.ctid = r.row_ctid`,
    [
      uow.clientId,
      results.map(({ accountId }) => accountId),
      runId,
      results.map(({ outcome }) => outcome),
      results.map(({ rank }) => rank),
      settledAt,
    ],
  );
}

/** A run whose groups are read. */
export type GroupedRun = { readonly id: string; readonly statisticId: string; readonly period: number };

/** The listed entries of some groups, in the order of the groups and of the list. */
export async function groupEntries(
  uow: UnitOfWork,
  { id, statisticId, period }: GroupedRun,
  groups: readonly GroupKey[],
): Promise<Array<GroupKey & ListedEntry>> {
  if (groups.length === 0) return [];
  const rows = await uow.query<GroupKey & { accountId: string; score: string; reachedAt: Date }>(
    `select wanted.league, wanted.group_number as "group", p.account_id as "accountId", e.score, e.reached_at as "reachedAt"
       from unnest($2::int[], $3::int[]) as wanted(league, group_number)
      cross join ${lookUpByKey({
        select: 'account_id',
        from: 'leaderboard_place',
        key: { run_id: '$4::uuid', league: 'wanted.league', group_number: 'wanted.group_number' },
        many: true,
      })} p
      cross join ${lookUpByKey({
        select: 'score, reached_at, is_member, is_ranked',
        from: 'leaderboard_entry',
        key: { account_id: 'p.account_id', statistic_id: '$5::uuid', period: '$6::int', run_id: '$4::uuid' },
      })} e
      where ${IS_LISTED}
      order by wanted.league, wanted.group_number, e.score, e.reached_at, p.account_id`,
    [uow.clientId, groups.map(({ league }) => league), groups.map(({ group }) => group), id, statisticId, period],
  );
  return rows.map(({ score, ...row }) => ({ ...row, score: BigInt(score) }));
}

/** The group of an account in a run, with its final result. */
export type FoundPlace = GroupKey & { readonly outcome: LeagueOutcome | null; readonly finalRank: number | null };

/** The groups of an account, by the id of the run. */
export async function placesOfAccount(
  uow: UnitOfWork,
  accountId: string,
  runIds: readonly string[],
): Promise<Map<string, FoundPlace>> {
  if (runIds.length === 0) return new Map();
  const rows = await uow.query<FoundPlace & { runId: string }>(
    `select p.run_id as "runId", p.league, p.group_number as "group", p.outcome, p.final_rank as "finalRank"
       from unnest($3::uuid[]) as wanted(id)
      cross join ${lookUpByKey({
        select: 'run_id, league, group_number, outcome, final_rank',
        from: 'leaderboard_place',
        key: { account_id: '$2::uuid', run_id: 'wanted.id' },
        and: 'league is not null',
      })} p`,
    [uow.clientId, accountId, runIds],
  );
  return new Map(rows.map((row) => [row.runId, row]));
}

/** The leagues of an account for its next groups, by the id of the leaderboard: the lowest one without a result. */
export function leaguesOfAccount(uow: UnitOfWork, accountId: string, leaderboardIds: readonly string[]) {
  return leaguesBy(uow, { account_id: '$2::uuid', leaderboard_id: 'wanted.id' }, accountId, leaderboardIds);
}

/** The leagues of accounts for their next groups, by the id of the account: the lowest one without a result. */
export function leaguesOfAccounts(uow: UnitOfWork, leaderboardId: string, accountIds: readonly string[]) {
  return leaguesBy(uow, { account_id: 'wanted.id', leaderboard_id: '$2::uuid' }, leaderboardId, accountIds);
}

/**
 * The leagues by the wanted ids.
 * @param key SQL of the key: `$2` is the id that all have in common, `wanted.id` each other one
 */
async function leaguesBy(
  uow: UnitOfWork,
  key: { readonly account_id: string; readonly leaderboard_id: string },
  shared: string,
  wanted: readonly string[],
): Promise<Map<string, number>> {
  if (wanted.length === 0) return new Map();
  const standing = lookUpByKey({ select: 'league', from: 'leaderboard_standing', key });
  const rows = await uow.query<{ id: string; league: number | null }>(
    `select wanted.id, s.league from unnest($3::uuid[]) as wanted(id) left join ${standing} s on true`,
    [uow.clientId, shared, wanted],
  );
  return new Map(rows.map(({ id, league }) => [id, league ?? LOWEST_LEAGUE]));
}

const upsertStandings = insertInto(leaderboardStandingTable, {
  shared: ['leaderboardId'],
  conflict: { key: ['accountId', 'leaderboardId'], do: 'update' },
});

/** Stores the leagues of accounts, which the caller has locked. */
export async function storeLeagues(
  uow: UnitOfWork,
  leaderboardId: string,
  leagues: ReadonlyMap<string, number>,
): Promise<void> {
  const sorted = [...leagues].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await upsertStandings(
    uow,
    sorted.map(([accountId, league]) => ({ leaderboardId, accountId, league })),
  );
}
