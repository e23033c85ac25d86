import type { ServiceImpl } from '@connectrpc/connect';
import type { FeedService } from '../../../gen/laurel/v1/feed_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { getFeed } from './get-feed.ts';
import { listCompletedMissions } from './list-completed-missions.ts';
import { listEarnedRewards } from '../../rewards/delivery/list-earned-rewards.ts';
import { listMissionProgress } from './list-mission-progress.ts';

/** Reading what an account is asked to do, has done and has earned. */
export function feedService(db: Database, catalogs: Catalogs, clock: Clock) {
  return {
    getFeed: (request, context) =>
      getFeed(db, catalogs, principalOf(context), request, { clock, isHead: context.requestMethod === 'HEAD' }),
    listMissionProgress: (request, context) => listMissionProgress(db, catalogs, principalOf(context), request, clock),
    listCompletedMissions: (request, context) =>
      listCompletedMissions(db, catalogs, principalOf(context), request, clock),
    listEarnedRewards: (request, context) => listEarnedRewards(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof FeedService>;
}
