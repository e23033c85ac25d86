import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CancelLeaderboardRunRequest,
  type CancelLeaderboardRunResponseSchema,
  LeaderboardAdminService,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { LeaderboardRunSchema } from '../../../gen/laurel/v1/leaderboard_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { finishRun } from './finish-run.ts';
import { periodsByCode, requireRun } from './find-runs.ts';
import { toRunMessage } from './run-message.ts';

/** Makes the ranks of a run final, without prizes: proto LeaderboardAdminService.CancelLeaderboardRun. */
export function cancelLeaderboardRun(
  { db, principal, now }: Call,
  { id, runId, reason }: CancelLeaderboardRunRequest,
): Promise<MessageInitShape<typeof CancelLeaderboardRunResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const board = await publishedLeaderboard(uow, id);
    const unit = (await periodsByCode(uow)).get(board.statisticCode) ?? 'ALL_TIME';
    const run = await requireRun(uow, board.id, runId, 'for update');
    const before = toRunMessage(run, unit);
    if (run.status === 'CANCELLED') return { run: before };
    if (run.status !== 'OPEN')
      throw new DomainError(
        'LEADERBOARD_RUN_NOT_OPEN',
        sentence`The run is ${run.status}: its ranks are final, and its prizes are delivered.`,
      );
    await finishRun(uow, run.id, { status: 'CANCELLED', reason, now });
    const after = toRunMessage(await requireRun(uow, board.id, run.id), unit);
    const operation = LeaderboardAdminService.method.cancelLeaderboardRun;
    await recordChange(uow, principal, { operation, schema: LeaderboardRunSchema, id: run.id, before, after });
    return { run: after };
  });
}
