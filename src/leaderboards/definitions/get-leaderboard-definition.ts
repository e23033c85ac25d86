import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetLeaderboardDefinitionRequest,
  GetLeaderboardDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toDefinitionMessage } from './leaderboard-message.ts';
import { requireLeaderboard } from './leaderboards.queries.ts';

/** Returns one leaderboard: proto LeaderboardAdminService.GetLeaderboardDefinition. */
export function getLeaderboardDefinition(
  { db, principal }: Call,
  { id }: GetLeaderboardDefinitionRequest,
): Promise<MessageInitShape<typeof GetLeaderboardDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    return { leaderboard: toDefinitionMessage(await requireLeaderboard(uow, id)) };
  });
}
