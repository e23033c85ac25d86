import { create, toJsonString } from '@bufbuild/protobuf';
import { LeaderboardClosedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { clientsWith } from '../../clients/client-ids.ts';
import { scoreOf } from '../../engine/leaderboards/board-plan.ts';
import type { Prize } from '../../engine/leaderboards/prizes.ts';
import { type Amount, amountToNumber } from '../../kernel/amount.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { loadRewards } from '../../rewards/definitions/rewards.queries.ts';
import { deliverRewards } from '../../rewards/delivery/deliver-rewards.ts';
import { isEarned, type RewardOrder } from '../../rewards/delivery/earned-reward.ts';
import { countEarnedRewards } from '../entries/count-earned-points.ts';
import { enqueueWebhooks, type WebhookMessage } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { type DefinedLeaderboard, publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
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
  if (due.status === 'CLOSING') return deliverBatch(uow, due.leaderboardId, due.id, now);
  const run = await requireRun(uow, due.leaderboardId, due.id, 'for update');
  // Another process was faster.
  if (run.status === 'OPEN') await finishRun(uow, run.id, { status: 'CLOSING', now });
  return 0;
}

type ClosingRun = {
  readonly id: string;
  readonly entries: number;
  readonly prizes: readonly Prize[];
  readonly last: LastPlace | undefined;
};

/** The run if its prizes are being delivered; locked, so that one process delivers at a time. */
async function lockClosingRun(uow: UnitOfWork, runId: string): Promise<ClosingRun | undefined> {
  const row = await lockRun<{
    entries: number;
    prizes: readonly Prize[];
    score: string | null;
    reachedAt: Date;
    accountId: string;
    rank: number;
    position: number;
  }>(uow, runId, {
    select: `entries, prizes, paid_score as score, paid_reached_at as "reachedAt", paid_account_id as "accountId", paid_rank as rank,
             paid_position as position`,
    and: "status = 'CLOSING'",
    lock: 'for no key update',
  });
  if (row === undefined) return undefined;
  const { entries, prizes, score, reachedAt, accountId, rank, position } = row;
  if (score === null) return { id: runId, entries, prizes, last: undefined };
  const entry = { accountId, reachedAt, score: BigInt(score) };
  return { id: runId, entries, prizes, last: { entry, rank, position } };
}

/** Delivers the prizes of the next places. @returns the number of delivered prizes, and 1 for the end of the run */
async function deliverBatch(uow: UnitOfWork, leaderboardId: string, runId: string, now: Date): Promise<number> {
  const run = await lockClosingRun(uow, runId);
  if (run === undefined) return 0;
  const { winners, last, isEnd } = await nextWinners(uow, run, run.last, BATCH);
  const delivered = await deliverPrizes(uow, run.id, winners, now);
  await storePlace(uow, run.id, last, delivered);
  if (!isEnd) return delivered;
  await updateRun(uow, run.id, { set: `status = 'CLOSED', closed_at = $3, due_at = null`, values: [now] });
  await enqueueWebhooks(uow, [await closedMessage(uow, leaderboardId, run)]);
  return delivered + 1;
}

/** @returns the number of earned rewards: a deleted or a suspended account gets none */
async function deliverPrizes(uow: UnitOfWork, runId: string, winners: readonly Winner[], now: Date): Promise<number> {
  const ids = winners.map(({ entry }) => entry.accountId);
  const accounts = await selectAccounts(uow, { ids, externalIds: [] }, 'change');
  const { find } = indexAccounts(accounts);
  const rewards = await loadRewards(uow, [...new Set(winners.flatMap(({ rewardIds }) => rewardIds))]);
  const orders = winners.flatMap(({ entry, rewardIds }) => {
    const account = find({ id: entry.accountId });
    if (account === undefined || account.suspendedAt !== undefined) return [];
    return rewardIds.flatMap((id): RewardOrder[] => {
      const reward = rewards.get(id);
      return reward === undefined ? [] : [{ accountId: account.id, reward, leaderboardRunId: runId, now }];
    });
  });
  const outcomes = await deliverRewards(uow, orders, accounts);
  await countEarnedRewards(uow, outcomes, now);
  return outcomes.filter(isEarned).length;
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

async function closedMessage(uow: UnitOfWork, leaderboardId: string, run: ClosingRun): Promise<WebhookMessage> {
  const board = await publishedLeaderboard(uow, leaderboardId);
  const unit = (await periodsByCode(uow)).get(board.statisticCode) ?? 'ALL_TIME';
  const { winners } = await allWinners(uow, run, ANNOUNCED_MAX);
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
  return winners.flatMap(({ entry, rewardIds }) => {
    const account = find({ id: entry.accountId });
    if (account === undefined) return [];
    const { id: accountId, externalId } = account;
    return [{ accountId, externalId, rank: entry.rank, value: valueOf(entry.score), rewardIds: [...rewardIds] }];
  });
}
