import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CreateLeaderboardRequest,
  type CreateLeaderboardResponseSchema,
  LeaderboardAdminService,
  LeaderboardDefinitionSchema,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';
import { contentOf, requireValidLeaderboard } from './leaderboard-draft.ts';
import { toDefinitionMessage } from './leaderboard-message.ts';
import { type LeaderboardEntity, leaderboardTable } from './leaderboard.entity.ts';
import { countLeaderboards } from './leaderboards.queries.ts';

/** The most leaderboards of a client: processes keep the active ones in memory. */
const LEADERBOARDS_MAX = 10_000;

/** Creates a leaderboard as a DRAFT: proto LeaderboardAdminService.CreateLeaderboard. */
export async function createLeaderboard(
  { db, principal, now }: Call,
  request: CreateLeaderboardRequest,
): Promise<MessageInitShape<typeof CreateLeaderboardResponseSchema>> {
  const content = contentOf(request.leaderboard!);
  const change = { operation: LeaderboardAdminService.method.createLeaderboard, schema: LeaderboardDefinitionSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    await requireValidLeaderboard(uow, content);
    if ((await countLeaderboards(uow)) >= LEADERBOARDS_MAX)
      throw new DomainError(
        'TOO_MANY_LEADERBOARDS',
        sentence`The client has ${LEADERBOARDS_MAX} leaderboards, the most that it may have. Delete one first.`,
      );
    const created = { ...content, clientId: uow.clientId, id: newId(), status: 'DRAFT', createdAt: now } as const;
    const board = uow.em.create(leaderboardTable, created) as LeaderboardEntity;
    await uow.em.flush();
    return { id: board.id, after: toDefinitionMessage(board) };
  });
  return { leaderboard: after };
}
