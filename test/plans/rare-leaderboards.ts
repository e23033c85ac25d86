import type { BoardPlan } from '../../src/engine/leaderboards/board-plan.ts';
import type { ReadStatistic } from '../../src/engine/statistics/statistic-values.ts';
import { removeDeletedRuns } from '../../src/leaderboards/definitions/remove-entries.ts';
import {
  entriesByRun,
  listedEntriesOf,
  openEntriesOf,
  refreshEntries,
  runsOfEntries,
} from '../../src/leaderboards/entries/entries.queries.ts';
import { giveHidden, isHidden, setHidden } from '../../src/leaderboards/entries/hidden-accounts.queries.ts';
import { givePlaces } from '../../src/leaderboards/leagues/give-places.ts';
import {
  dropWaiting,
  groupEntries,
  leaguesOfAccount,
  placesOfAccount,
  runsWithWaiting,
  storeLeagues,
  storePlaces,
  storeResults,
  waitForPlaces,
} from '../../src/leaderboards/leagues/places.queries.ts';
import { leagueTimeline } from '../../src/leaderboards/leagues/timeline-source.ts';
import { foldDeltas } from '../../src/leaderboards/ranks/fold-deltas.ts';
import { endsOfShares } from '../../src/leaderboards/ranks/distribution.queries.ts';
import {
  countEntries,
  entriesAfter,
  entriesAt,
  entriesBefore,
  ranksOf,
} from '../../src/leaderboards/ranks/ranks.queries.ts';
import { closeRuns } from '../../src/leaderboards/runs/close-runs.ts';
import { runsOf } from '../../src/leaderboards/runs/find-runs.ts';
import { lockOpenRuns, lockRunsById, lockRunsForEveryone } from '../../src/leaderboards/runs/runs.queries.ts';
import { CLIENT_ROW } from '../../src/persistence/client-row.ts';
import { accountsWithValue } from '../../src/statistics/values/account-statistics.queries.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';

const LEAGUES = { names: ['Bronze', 'Silver'], groupSize: 2, promoted: 1, relegated: 1 };

/** Sends the statements of leaderboards: entries, ranks, runs and their removal, for a client without leaderboards. */
export async function sendLeaderboards(db: Database, clientId: string): Promise<void> {
  const [accountId, statisticId, runId, leaderboardId] = [newId(), newId(), newId(), newId()];
  const now = new Date();
  const run = { id: runId, leaderboardId, statisticId, period: 0, hasRanges: true, hasLeagues: true };
  const entry = { run, accountId, sign: -1, isAdded: true, reachedAt: now, isMember: true } as const;
  const place = { accountId, score: 0n, reachedAt: now };
  const span = { period: 0, from: -Infinity, until: Infinity };
  const statistic: ReadStatistic = {
    ...{ id: statisticId, code: 'rare', periodAt: () => span, dayAt: () => 0 },
    source: 'EVENTS',
    aggregation: 'SUM',
    period: 'ALL_TIME',
  };
  const about = {
    id: leaderboardId,
    statistic,
    audienceIds: [],
    lateMs: 0,
    activatedAt: now.getTime(),
    leagues: LEAGUES,
  };
  const board: BoardPlan = { ...about, order: 'HIGHEST_FIRST' };
  const work: readonly ((uow: UnitOfWork) => Promise<unknown>)[] = [
    (uow) => lockOpenRuns(uow, [{ board, span }], now),
    (uow) => lockRunsForEveryone(uow, [{ statisticId, period: 0 }], now),
    (uow) => lockRunsById(uow, [runId], now),
    (uow) => refreshEntries(uow, [{ ...entry, isLast: false }]),
    (uow) => refreshEntries(uow, [{ ...entry, isLast: true }]),
    (uow) => runsOfEntries(uow, [{ accountId, statisticId, period: 0 }]),
    (uow) => openEntriesOf(uow, [accountId]),
    (uow) => listedEntriesOf(uow, run, [accountId]),
    (uow) => entriesByRun(uow, accountId, [run]),
    (uow) => ranksOf(uow, runId, [0n]),
    (uow) => countEntries(uow, runId),
    (uow) => endsOfShares(uow, runId, [0.5]),
    (uow) => entriesAt(uow, runId, { offset: 0, limit: 1 }),
    (uow) => entriesAfter(uow, runId, place, 1),
    (uow) => entriesBefore(uow, runId, place, 1),
    (uow) => runsOf(uow, leaderboardId, { limit: 1, before: undefined }),
    (uow) => waitForPlaces(uow, [{ accountId, runId }]),
    (uow) => runsWithWaiting(uow),
    (uow) => storePlaces(uow, runId, [{ accountId, league: 1, group: 1 }]),
    (uow) => groupEntries(uow, run, [{ league: 1, group: 1 }]),
    (uow) => placesOfAccount(uow, accountId, [runId]),
    (uow) => leaguesOfAccount(uow, accountId, [leaderboardId]),
    (uow) => storeLeagues(uow, leaderboardId, new Map([[accountId, 2]])),
    (uow) => storeResults(uow, runId, [{ accountId, outcome: 'KEPT', rank: 1 }], now),
    (uow) => dropWaiting(uow, runId),
    (uow) => leagueTimeline.page(uow, accountId, { from: 0, until: now.getTime() * 1_000 }, 1),
    (uow) => setHidden(uow, accountId, true, now),
    (uow) => isHidden(uow, accountId),
    (uow) => giveHidden(uow, { from: accountId, into: newId() }),
    (uow) => setHidden(uow, accountId, false, now),
    (uow) =>
      uow.query(`insert into deleted_leaderboard_run (client_id, run_id, deleted_at) values ($1, $2, 'epoch')`, [
        uow.clientId,
        runId,
      ]),
  ];
  for (const send of work) await db.unitOfWork(clientId, send);
  await db.unitOfWork(clientId, (uow) =>
    accountsWithValue(uow, { statisticId, period: 0 }, { after: accountId, limit: 1 }),
  );
  await sendWork(db, clientId, { leaderboardId, runId: newId(), statisticId }, now);
  await removeDeletedRuns(db, clientId, now);
}

/** Sends the statements of the background: ranges that are made, moved, split and joined, and a run that is closed. */
async function sendWork(
  db: Database,
  clientId: string,
  { leaderboardId, runId, statisticId }: Readonly<Record<'leaderboardId' | 'runId' | 'statisticId', string>>,
  now: Date,
): Promise<void> {
  const deltas = (uow: UnitOfWork) =>
    uow.query(
      `insert into leaderboard_delta (client_id, run_id, id, scores_before, scores_after)
       select client_row.client_id, $2::uuid, d.id, array[null::bigint], array[d.score]
         from ${CLIENT_ROW} cross join unnest($3::uuid[], $4::bigint[]) as d(id, score)`,
      [clientId, runId, [newId(), newId(), newId()], [-1, -2, -3]],
    );
  await db.unitOfWork(clientId, async (uow) => {
    await uow.query(
      `insert into leaderboard (client_id, id, name, status, statistic_code, rank_order, entries_shown, late_hours, prizes)
       values ($1, $2, 'Rare', 'ACTIVE', 'rare', 'HIGHEST_FIRST', 1, 0, '[]')`,
      [clientId, leaderboardId],
    );
    await uow.query(
      `insert into leaderboard_run (client_id, id, leaderboard_id, statistic_id, period, status, due_at, leagues)
       values ($1, $2, $3, $4, 7, 'OPEN', $5, $6::jsonb)`,
      [clientId, runId, leaderboardId, statisticId, now, JSON.stringify(LEAGUES)],
    );
    await uow.query(
      `insert into leaderboard_entry (client_id, account_id, statistic_id, period, run_id, score, reached_at, is_member, is_ranked)
       select client_row.client_id, e.id, $2::uuid, 0, $3::uuid, e.score, $4::timestamptz, true, true
         from ${CLIENT_ROW} cross join unnest($5::uuid[], $6::bigint[]) as e(id, score)`,
      [clientId, statisticId, runId, now, [newId(), newId(), newId(), newId()], [-1, -2, -3, -4]],
    );
    await deltas(uow);
    await waitForPlaces(uow, [{ accountId: newId(), runId }]);
  });
  await givePlaces(db, clientId);
  const limits = { arrivalsMax: 2, entriesMax: 2, shareMax: 0, rangesMax: 1 };
  await foldDeltas(db, clientId, limits);
  await db.unitOfWork(clientId, deltas);
  await foldDeltas(db, clientId, limits);
  await closeRuns(db, clientId, now);
  await db.unitOfWork(clientId, async (uow) => {
    for (const table of [
      'leaderboard_place',
      'leaderboard_standing',
      'leaderboard_range',
      'leaderboard_entry',
      'leaderboard_run',
      'leaderboard',
    ])
      await uow.query(`delete from ${table} where client_id = $1`, [clientId]);
  });
}
