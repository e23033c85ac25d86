import type { FeedService } from '../../../gen/laurel/v1/feed_service_pb.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { getFeed } from './get-feed.ts';
import { listCompletedMissions } from './list-completed-missions.ts';
import { listEarnedRewards } from '../../rewards/delivery/list-earned-rewards.ts';
import { listMissionProgress } from './list-mission-progress.ts';
import type { Handlers } from '../../clients/call.ts';

/** The reads of an account's open and completed missions, and its earned rewards. */
export function feedService(catalogs: Catalogs) {
  return {
    getFeed: (call, request) => getFeed(call, request, catalogs),
    listMissionProgress: (call, request) => listMissionProgress(call, request, catalogs),
    listCompletedMissions: (call, request) => listCompletedMissions(call, request, catalogs),
    listEarnedRewards,
  } satisfies Handlers<typeof FeedService>;
}
