import type { Account } from '../../accounts/account.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { clientsWith } from '../../clients/client-ids.ts';
import { clientZones } from '../../clients/client-zones.ts';
import { boardsByStatistic, boardsOf, type BoardPlan } from '../../engine/leaderboards/board-plan.ts';
import { aggregations } from '../../engine/statistics/statistic-value.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import { MINUTE } from '../../kernel/time/timestamp.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { statisticDefinitions } from '../../statistics/definitions/statistic-definitions.queries.ts';
import { readStatistic } from '../../statistics/statistic-plans.ts';
import { accountsWithValue } from '../../statistics/values/account-statistics.queries.ts';
import { boardPlans, requireLeaderboard } from '../definitions/leaderboards.queries.ts';
import { lockOpenRuns, runKey } from '../runs/runs.queries.ts';
import { refreshEntries, runsOfEntries, type StaleEntry } from './entries.queries.ts';

/** Accounts in one transaction: few, so that their events wait only for a moment. */
const BATCH = 200;

/** The time after which no transaction is in progress that began before the activation, and so did not know the leaderboard. */
const SECOND_PASS_MS = 5 * MINUTE;

/** The audiences of accounts, by the id of the account; a module above knows them. */
export type AudiencesOf = (
  uow: UnitOfWork,
  accounts: readonly Account[],
  now: Date,
) => Promise<ReadonlyMap<string, ReadonlyMap<string, unknown>>>;

/**
 * Housekeeping: ranks the accounts that had values before a leaderboard was activated. A second pass finds those that an event has moved
 * which did not know it yet. @returns the number of accounts
 */
export async function fillLeaderboards(
  db: Database,
  clientId: string,
  now: Date,
  audiencesOf: AudiencesOf,
): Promise<number> {
  for (let total = 0; ;) {
    const done = await db.unitOfWork(clientId, (uow) => fillStep(uow, now, audiencesOf));
    if (done === undefined) return total;
    total += done;
  }
}

/** The clients with leaderboards to fill, in a system unit of work. */
export function clientsWithFills(uow: UnitOfWork, now: Date): Promise<string[]> {
  return clientsWith(
    uow,
    'select from leaderboard where client_id = c.id and fill_pass is not null and fill_due_at <= $1 limit 1',
    [now],
  );
}

/** Ranks the next accounts of a leaderboard; undefined if none is due. */
async function fillStep(uow: UnitOfWork, now: Date, audiencesOf: AudiencesOf): Promise<number | undefined> {
  const [due] = await uow.query<{ id: string }>(
    `select id from leaderboard where client_id = $1 and fill_pass is not null and fill_due_at <= $2
      order by client_id, id limit 1`,
    [uow.clientId, now],
  );
  if (due === undefined) return undefined;
  const board = await requireLeaderboard(uow, due.id, { forChange: true });
  if (board.fillPass === null || board.fillDueAt === null || board.fillDueAt! > now) return 0;
  const [definitions, calendar] = await Promise.all([statisticDefinitions(uow), clientZones(uow)]);
  const statistics = new Map(definitions.map((definition) => [definition.code, readStatistic(definition, calendar)]));
  const [plan] = boardPlans([board as Parameters<typeof boardPlans>[0][number]], statistics);
  const ids = plan === undefined ? [] : await nextAccounts(uow, plan, board.fillAfter ?? NIL_UUID, now);
  if (plan !== undefined) await rankValues(uow, plan, ids, now, audiencesOf);
  if (ids.length === BATCH) uow.em.assign(board, { fillAfter: ids.at(-1)! });
  else if (board.fillPass === 1)
    uow.em.assign(board, { fillPass: 2, fillAfter: null, fillDueAt: new Date(now.getTime() + SECOND_PASS_MS) });
  else uow.em.assign(board, { fillPass: null, fillAfter: null, fillDueAt: null });
  await uow.em.flush();
  return ids.length;
}

function nextAccounts(uow: UnitOfWork, { statistic }: BoardPlan, after: string, now: Date): Promise<string[]> {
  const { period } = statistic.periodAt(now.getTime());
  return accountsWithValue(uow, { statisticId: statistic.id, period }, { after, limit: BATCH });
}

async function rankValues(
  uow: UnitOfWork,
  plan: BoardPlan,
  accountIds: readonly string[],
  now: Date,
  audiencesOf: AudiencesOf,
): Promise<void> {
  const accounts = await selectAccounts(uow, { ids: accountIds, externalIds: [] }, 'change');
  if (accounts.length === 0) return;
  const { id: statisticId, aggregation } = plan.statistic;
  const span = plan.statistic.periodAt(now.getTime());
  const runs = await lockOpenRuns(uow, [{ board: plan, span }], now);
  const run = runs.get(runKey(plan.id, span.period));
  if (run === undefined) return;
  const keys = accounts.map(({ id: accountId }) => ({ accountId, statisticId, period: span.period }));
  const present = new Set(
    (await runsOfEntries(uow, keys)).filter(({ runId }) => runId === run.id).map(({ accountId }) => accountId),
  );
  const audiences = plan.audienceIds.length === 0 ? undefined : await audiencesOf(uow, accounts, now);
  const boards = boardsByStatistic([plan]).get(statisticId)!;
  await refreshEntries(
    uow,
    accounts.flatMap(({ id: accountId }): StaleEntry[] => {
      const isPresent = present.has(accountId);
      const isMember = boardsOf(boards, audiences?.get(accountId) ?? new Map()).length > 0;
      if (!isPresent && !isMember) return [];
      return [
        {
          ...{ run, accountId, reachedAt: new Date(plan.activatedAt) },
          isMember: isPresent ? undefined : true,
          sign: plan.order === 'HIGHEST_FIRST' ? -1 : 1,
          isAdded: aggregations[aggregation].isAdded,
          isLast: aggregation === 'LAST',
        },
      ];
    }),
  );
}
