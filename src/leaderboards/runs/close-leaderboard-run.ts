import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CloseLeaderboardRunRequest,
  type CloseLeaderboardRunResponseSchema,
  LeaderboardAdminService,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { LeaderboardRunSchema } from '../../../gen/laurel/v1/leaderboard_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type DefinedLeaderboard, publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { entryMessages } from '../entries/entry-message.ts';
import { countEntries } from '../ranks/ranks.queries.ts';
import { finishRun } from './finish-run.ts';
import { type FoundRun, periodsByCode, requireRun } from './find-runs.ts';
import { toRunMessage } from './run-message.ts';
import { allWinners } from './winners.ts';

/** The winners that a dry run shows. */
const SHOWN_MAX = 100;

/** Makes the ranks of a run final; housekeeping delivers its prizes: proto LeaderboardAdminService.CloseLeaderboardRun. */
export function closeLeaderboardRun(
  { db, principal, now }: Call,
  { id, runId, dryRun }: CloseLeaderboardRunRequest,
): Promise<MessageInitShape<typeof CloseLeaderboardRunResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const board = await publishedLeaderboard(uow, id);
    const unit = (await periodsByCode(uow)).get(board.statisticCode) ?? 'ALL_TIME';
    const run = await requireRun(uow, board.id, runId, dryRun ? '' : 'for update');
    if (run.status === 'CANCELLED')
      throw new DomainError(
        'LEADERBOARD_RUN_NOT_OPEN',
        sentence`The run was cancelled, so it has no prizes: ${run.cancelReason ?? ''}.`,
      );
    const before = toRunMessage(run, unit);
    if (dryRun) return { run: before, ...(await winnersNow(uow, board, run)) };
    if (run.status !== 'OPEN') return { run: before };
    await finishRun(uow, run.id, { status: 'CLOSING', now });
    const after = toRunMessage(await requireRun(uow, board.id, run.id), unit);
    const operation = LeaderboardAdminService.method.closeLeaderboardRun;
    await recordChange(uow, principal, { operation, schema: LeaderboardRunSchema, id: run.id, before, after });
    return { run: after };
  });
}

async function winnersNow(uow: UnitOfWork, board: DefinedLeaderboard, run: FoundRun) {
  const entries = run.entries ?? (await countEntries(uow, run.id));
  const { winners, total, given } = await allWinners(uow, { id: run.id, entries, prizes: board.prizes }, SHOWN_MAX);
  const messages = await entryMessages(
    uow,
    board,
    winners.map(({ entry }) => entry),
  );
  const byAccount = new Map(winners.map(({ entry, rewardIds }) => [entry.accountId, rewardIds]));
  return {
    winners: messages.map((entry) => ({ entry, rewardIds: [...(byAccount.get(entry.accountId ?? '') ?? [])] })),
    winnersTotal: total,
    given: [...given].map(([rewardId, accounts]) => ({ rewardId, accounts })),
  };
}
