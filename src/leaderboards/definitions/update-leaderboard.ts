import { isDeepStrictEqual } from 'node:util';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  LeaderboardAdminService,
  LeaderboardDefinitionSchema,
  type UpdateLeaderboardRequest,
  type UpdateLeaderboardResponseSchema,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { contentOf, requireValidLeaderboard } from './leaderboard-draft.ts';
import { toDefinitionMessage } from './leaderboard-message.ts';
import { requireLeaderboard } from './leaderboards.queries.ts';

/** The fields that are fixed from the activation on, by their names in the API: the entries of accounts follow from them. */
const FIXED = {
  statisticCode: 'statisticCode',
  audienceIds: 'audienceIds',
  rankOrder: 'order',
  lateHours: 'lateHours',
  leagues: 'leagues',
} as const;

/** Replaces a leaderboard: proto LeaderboardAdminService.UpdateLeaderboard. */
export async function updateLeaderboard(
  { db, principal }: Call,
  { id, version, leaderboard }: UpdateLeaderboardRequest,
): Promise<MessageInitShape<typeof UpdateLeaderboardResponseSchema>> {
  const content = contentOf(leaderboard!);
  const change = { operation: LeaderboardAdminService.method.updateLeaderboard, schema: LeaderboardDefinitionSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const board = await requireLeaderboard(uow, id, { forChange: true });
    await requireVersion(uow, LeaderboardDefinitionSchema, board, version);
    const differing = Object.entries(FIXED)
      .filter(([property]) => {
        const key = property as keyof typeof FIXED;
        return !isDeepStrictEqual(board[key] ?? null, content[key]);
      })
      .map(([, field]) => field);
    if (board.status !== 'DRAFT' && differing.length > 0)
      throw new DomainError(
        'LEADERBOARD_IMMUTABLE',
        sentence`Statistic, order, audiences, lateHours and leagues are fixed from the activation on, and these differ: ${differing}. Send them as they are, or create another leaderboard.`,
      );
    await requireValidLeaderboard(uow, content, board.prizes);
    const before = toDefinitionMessage(board);
    // MikroORM takes the array of ids for a text when it assigns.
    Object.assign(board, content, { version: board.version + 1 });
    await uow.em.flush();
    return { id: board.id, before, after: toDefinitionMessage(board) };
  });
  return { leaderboard: after };
}
