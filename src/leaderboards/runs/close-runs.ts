import { create, toJsonString } from '@bufbuild/protobuf';
import { LeaderboardClosedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { clientsWith } from '../../clients/client-ids.ts';
import { scoreOf } from '../../engine/leaderboards/board-plan.ts';
import type { GroupKey, Leagues } from '../../engine/leaderboards/leagues.ts';
import type { Prize } from '../../engine/leaderboards/prizes.ts';
import { type Amount, amountToNumber } from '../../kernel/amount.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { enqueueWebhooks, type WebhookMessage } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { type DefinedLeaderboard, publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { givePlacesOfRun, unfinishedBefore } from '../leagues/give-places.ts';
import { settlements } from '../leagues/group-results.ts';
import { settleGroups } from '../leagues/settle-groups.ts';
import { deliverPrizes } from './deliver-prizes.ts';
import { finishRun } from './finish-run.ts';
import { periodsByCode, requireRun } from './find-runs.ts';
import { toRunMessage } from './run-message.ts';
import { lockRun, updateRun } from './runs.queries.ts';
import { allWinners, type LastPlace, nextWinners, type Winner } from './winners.ts';

/** Winners in one transaction: few, so that events of these accounts wait only for a moment. */
const BATCH = 200;

/** The winners that LEADERBOARD_CLOSED names. */
const ANNOUNCED_MAX = 100;

/**
 * Housekeeping: makes the ranks of runs final whose time has come, and delivers their prizes in small transactions. Each stores how far it
 * came, so that another process continues where one was stopped.
 * @returns the number of delivered prizes and closed runs
 */
export async function closeRuns(db: Database, clientId: string, now: Date): Promise<number> {
  for (let total = 0; ;) {
    const done = await db.unitOfWork(clientId, (uow) => closeStep(uow, now));
    if (done === undefined) return total;
    total += done;
  }
}

/** The clients with runs to close, in a system unit of work. */
export function clientsWithDueRuns(uow: UnitOfWork, now: Date): Promise<string[]> {
  return clientsWith(uow, 'select from leaderboard_run where client_id = c.id and due_at <= $1 limit 1', [now]);
}

/** One step of the run that is due first; undefined if none is due. */
async function closeStep(uow: UnitOfWork, now: Date): Promise<number | undefined> {
  const [due] = await uow.query<{ id: string; leaderboardId: string; status: 'OPEN' | 'CLOSING' }>(
    `select id, leaderboard_id as "leaderboardId", status from leaderboard_run
      where client_id = $1 and due_at <= $2 order by client_id, due_at, id limit 1`,
    [uow.clientId, now],
  );
  if (due === undefined) return undefined;
  if (due.status === 'CLOSING') return continueClose(uow, due.id, now);
  return closeStepOf(uow, due.leaderboardId, due.id, now);
}

/** One step of a run. */
async function closeStepOf(uow: UnitOfWork, leaderboardId: string, runId: string, now: Date): Promise<number> {
  const run = await requireRun(uow, leaderboardId, runId, 'for update');
  if (run.status === 'CLOSING') return continueClose(uow, run.id, now);
  // Otherwise another process was faster.
  if (run.status === 'OPEN') await finishRun(uow, run.id, { status: 'CLOSING', now });
  return 0;
}

type ClosingRun = {
  readonly id: string;
  readonly leaderboardId: string;
  readonly statisticId: string;
  readonly period: number;
  readonly entries: number;
  readonly prizes: readonly Prize[];
  readonly last: LastPlace | undefined;
  readonly leagues: Leagues | null;
  readonly places: readonly number[];
  readonly settled: GroupKey;
};

/** The run if its prizes are being delivered; locked, so that one process delivers at a time. */
async function lockClosingRun(uow: UnitOfWork, runId: string): Promise<ClosingRun | undefined> {
  const row = await lockRun<
    Omit<ClosingRun, 'last' | 'settled'> & {
      score: string | null;
      reachedAt: Date;
      accountId: string;
      rank: number;
      position: number;
      settledLeague: number;
      settledGroup: number;
    }
  >(uow, runId, {
    select: `id, leaderboard_id as "leaderboardId", statistic_id as "statisticId", period, entries, prizes, leagues, places,
             settled_league as "settledLeague", settled_group as "settledGroup", paid_score as score,
             paid_reached_at as "reachedAt", paid_account_id as "accountId", paid_rank as rank, paid_position as position`,
    and: "status = 'CLOSING'",
    lock: 'for no key update',
  });
  if (row === undefined) return undefined;
  const { score, reachedAt, accountId, rank, position, settledLeague, settledGroup, ...run } = row;
  const settled = { league: settledLeague, group: settledGroup };
  if (score === null) return { ...run, settled, last: undefined };
  const entry = { accountId, reachedAt, score: BigInt(score) };
  return { ...run, settled, last: { entry, rank, position } };
}

/**
 * The next step of a run whose entries are final: the last groups, the prizes of the whole run, the groups with their prizes, the end.
 * @returns the number of delivered prizes, and 1 for the end of the run
 */
async function continueClose(uow: UnitOfWork, runId: string, now: Date): Promise<number> {
  const run = await lockClosingRun(uow, runId);
  if (run === undefined) return 0;
  if (run.leagues !== null) {
    const earlier = await unfinishedBefore(uow, run);
    // It is due, too, and accounts wait for its result.
    if (earlier !== undefined) return closeStepOf(uow, run.leaderboardId, earlier, now);
    if ((await givePlacesOfRun(uow, run.id, 'for no key update')) > 0) return 0;
  }
  const { winners, last, isEnd } = await nextWinners(uow, run, run.last, BATCH);
  const ids = winners.map(({ entry }) => entry.accountId);
  const accounts = await selectAccounts(uow, { ids, externalIds: [] }, 'change');
  const delivered = await deliverPrizes(uow, { runId: run.id, winners, accounts, now });
  await storePlace(uow, run.id, last, delivered);
  if (!isEnd) return delivered;
  if (isLeagueRun(run)) {
    const settled = await settleGroups(uow, run, now);
    if (settled !== undefined) return delivered + settled;
  }
  await updateRun(uow, run.id, { set: `status = 'CLOSED', closed_at = $3, due_at = null`, values: [now] });
  await enqueueWebhooks(uow, [await closedMessage(uow, run)]);
  return delivered + 1;
}

function isLeagueRun<Run extends ClosingRun>(run: Run): run is Run & { readonly leagues: Leagues } {
  return run.leagues !== null;
}

async function storePlace(
  uow: UnitOfWork,
  runId: string,
  last: LastPlace | undefined,
  delivered: number,
): Promise<void> {
  if (last === undefined) return;
  const { entry, rank, position } = last;
  await updateRun(uow, runId, {
    set: `paid_score = $3, paid_reached_at = $4, paid_account_id = $5, paid_rank = $6, paid_position = $7,
          prizes_delivered = prizes_delivered + $8`,
    values: [entry.score, entry.reachedAt, entry.accountId, rank, position, delivered],
  });
}

async function closedMessage(uow: UnitOfWork, run: ClosingRun): Promise<WebhookMessage> {
  const { leaderboardId } = run;
  const board = await publishedLeaderboard(uow, leaderboardId);
  const unit = (await periodsByCode(uow)).get(board.statisticCode) ?? 'ALL_TIME';
  const winners = [...(await allWinners(uow, run, ANNOUNCED_MAX)).winners];
  if (isLeagueRun(run) && run.prizes.some(({ league }) => league !== undefined))
    for await (const settled of settlements(uow, run)) {
      if (winners.length >= ANNOUNCED_MAX) break;
      winners.push(...settled.winners.slice(0, ANNOUNCED_MAX - winners.length));
    }
  const change = create(LeaderboardClosedSchema, {
    leaderboardId,
    name: board.name,
    run: toRunMessage(await requireRun(uow, leaderboardId, run.id), unit),
    winners: await winnerMessages(uow, board, winners),
  });
  return {
    kind: 'LEADERBOARD_CLOSED',
    json: toJsonString(LeaderboardClosedSchema, change, { alwaysEmitImplicit: true }),
  };
}

async function winnerMessages(uow: UnitOfWork, { rankOrder }: DefinedLeaderboard, winners: readonly Winner[]) {
  const ids = winners.map(({ entry }) => entry.accountId);
  const { find } = indexAccounts(await selectAccounts(uow, { ids, externalIds: [] }));
  const valueOf = (score: Amount) => amountToNumber(scoreOf(rankOrder, score));
  return winners.flatMap(({ entry, rewardIds, group }) => {
    const account = find({ id: entry.accountId });
    if (account === undefined) return [];
    const { id: accountId, externalId } = account;
    const about = { accountId, externalId, rank: entry.rank, value: valueOf(entry.score), ...group };
    return [{ ...about, rewardIds: [...rewardIds] }];
  });
}
