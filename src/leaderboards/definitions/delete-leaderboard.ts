import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type DeleteLeaderboardRequest,
  type DeleteLeaderboardResponseSchema,
  LeaderboardAdminService,
  LeaderboardDefinitionSchema,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { requireUnused, type Uses } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { deletedLeaderboardRunTable } from './deleted-leaderboard-run.entity.ts';
import { toDefinitionMessage } from './leaderboard-message.ts';
import { requireLeaderboard } from './leaderboards.queries.ts';

/** Removes a leaderboard; housekeeping removes the entries of its runs: proto LeaderboardAdminService.DeleteLeaderboard. */
export async function deleteLeaderboard(
  { db, principal, now }: Call,
  { id, version }: DeleteLeaderboardRequest,
): Promise<MessageInitShape<typeof DeleteLeaderboardResponseSchema>> {
  const change = { operation: LeaderboardAdminService.method.deleteLeaderboard, schema: LeaderboardDefinitionSchema };
  await changeCatalog(db, principal, change, async (uow) => {
    const board = await requireLeaderboard(uow, id, { forChange: true });
    await requireVersion(uow, LeaderboardDefinitionSchema, board, version);
    const uses = board.status === 'ACTIVE' ? [sentence`the leaderboard itself, which is ACTIVE`] : [];
    requireUnused(
      'LEADERBOARD_IN_USE',
      [...uses, ...(await unfinishedRuns(uow, board.id))],
      sentence`End it, and wait for the close of its runs or cancel them first.`,
    );
    const before = toDefinitionMessage(board);
    await removeRuns(uow, board.id, now);
    uow.em.remove(board);
    await uow.em.flush();
    return { id: board.id, before };
  });
  return {};
}

/** The runs that are not closed or cancelled, in words. */
async function unfinishedRuns(uow: UnitOfWork, leaderboardId: string): Promise<Uses> {
  const rows = await uow.query<{ id: string; status: string }>(
    `select id, status from leaderboard_run
      where client_id = $1 and leaderboard_id = $2 and status in ('OPEN', 'CLOSING')
      order by client_id, leaderboard_id, period limit 10`,
    [uow.clientId, leaderboardId],
  );
  return rows.map(({ id, status }) => sentence`run ${id}, which is ${status}`);
}

const insertDeleted = insertInto(deletedLeaderboardRunTable);

async function removeRuns(uow: UnitOfWork, leaderboardId: string, deletedAt: Date): Promise<void> {
  const rows = await uow.query<{ runId: string }>(
    `delete from leaderboard_run where client_id = $1 and leaderboard_id = $2 returning id as "runId"`,
    [uow.clientId, leaderboardId],
  );
  await insertDeleted(
    uow,
    [...rows.map(({ runId }) => runId), leaderboardId].map((runId) => ({ runId, deletedAt })),
  );
}
