import { clientsWith } from '../../clients/client-ids.ts';
import { givenPlaces, type Leagues } from '../../engine/leaderboards/leagues.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { lockRun, updateRun } from '../runs/runs.queries.ts';
import { dropWaiting, leaguesOfAccounts, runsWithWaiting, storePlaces, waitingAccounts } from './places.queries.ts';

/** Accounts in one transaction: some milliseconds, which no event waits for. */
const BATCH = 1_000;

/**
 * Housekeeping: gives groups to the accounts that have appeared in runs with leagues. The run is locked and counts the given places, so no two
 * processes give one place. While an earlier run is not closed, accounts wait: its close decides their leagues.
 * @returns the number of accounts
 */
export async function givePlaces(db: Database, clientId: string): Promise<number> {
  let total = 0;
  for (const runId of await db.unitOfWork(clientId, runsWithWaiting))
    for (let given = BATCH; given === BATCH; total += given)
      given = await db.unitOfWork(clientId, (uow) => givePlacesOfRun(uow, runId, 'for no key update skip locked'));
  return total;
}

/** The clients with accounts that wait for groups, in a system unit of work. */
export function clientsWithWaiting(uow: UnitOfWork): Promise<string[]> {
  return clientsWith(uow, 'select from leaderboard_place where client_id = c.id and league is null limit 1', []);
}

type PlacedRun = {
  readonly leaderboardId: string;
  readonly period: number;
  readonly status: string;
  readonly leagues: Leagues;
  readonly places: readonly number[];
};

/** Gives the next groups of a run. @returns the number of accounts; 0 also if another process has the run, or an earlier one is not closed */
export async function givePlacesOfRun(uow: UnitOfWork, runId: string, lock: string): Promise<number> {
  const run = await lockRun<PlacedRun>(uow, runId, {
    select: 'leaderboard_id as "leaderboardId", period, status, leagues, places',
    lock,
  });
  if (run === undefined) return 0;
  if (run.status === 'CANCELLED') {
    await dropWaiting(uow, runId);
    return 0;
  }
  if ((await unfinishedBefore(uow, run)) !== undefined) return 0;
  const accountIds = await waitingAccounts(uow, runId, BATCH);
  if (accountIds.length === 0) return 0;
  const leagues = await leaguesOfAccounts(uow, run.leaderboardId, accountIds);
  const wanted = accountIds.map((id) => leagues.get(id)!);
  const { places, taken } = givenPlaces(run.leagues, run.places, wanted);
  await storePlaces(
    uow,
    runId,
    places.map((place, index) => ({ ...place, accountId: accountIds[index]! })),
  );
  await updateRun(uow, runId, { set: 'places = $3::jsonb', values: [JSON.stringify(taken)] });
  return accountIds.length;
}

/** The earliest run of a leaderboard before a period that is not closed; undefined if all are. */
export async function unfinishedBefore(
  uow: UnitOfWork,
  { leaderboardId, period }: Pick<PlacedRun, 'leaderboardId' | 'period'>,
): Promise<string | undefined> {
  const [row] = await uow.query<{ id: string }>(
    `select id from leaderboard_run
      where client_id = $1 and leaderboard_id = $2 and period < $3 and status in ('OPEN', 'CLOSING')
      order by client_id, leaderboard_id, period limit 1`,
    [uow.clientId, leaderboardId, period],
  );
  return row?.id;
}
