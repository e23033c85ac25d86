import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListLeaderboardsRequest,
  ListLeaderboardsResponseSchema,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { LEADERBOARD, toDefinitionMessage } from './leaderboard-message.ts';
import { LEADERBOARD_STATUSES } from './leaderboard.entity.ts';
import type { DefinedLeaderboard } from './leaderboards.queries.ts';

/** Lists leaderboards by page, in the order of names: proto LeaderboardAdminService.ListLeaderboards. */
export function listLeaderboards(
  { db, principal }: Call,
  request: ListLeaderboardsRequest,
): Promise<MessageInitShape<typeof ListLeaderboardsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await leaderboardPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toDefinitionMessage(row)) };
  });
}

const leaderboardPage = pagedList<DefinedLeaderboard>({
  from: 'leaderboard',
  columns: LEADERBOARD,
  orderBy: ['name', 'id'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    status: { kind: 'enum', values: LEADERBOARD_STATUSES, column: 'status' },
    statisticCode: { kind: 'text', column: 'statistic_code' },
  },
  orderable: {
    name: { column: 'name' },
    status: { column: 'status' },
    statisticCode: { column: 'statistic_code' },
    createdAt: { column: 'created_at' },
    updatedAt: { column: 'updated_at' },
  },
  searched: { ids: ['id'], words: ['statistic_code'], parts: ['name', 'statistic_code'] },
});
