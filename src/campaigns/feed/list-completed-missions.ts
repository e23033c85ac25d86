import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListCompletedMissionsRequest,
  ListCompletedMissionsResponseSchema,
} from '../../../gen/laurel/v1/feed_service_pb.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { storedViews } from './stored-views.ts';

/** Gives what an account has completed, latest first: proto FeedService.ListCompletedMissions. */
export function listCompletedMissions(
  db: Database,
  catalogs: Catalogs,
  principal: Principal,
  { accountId, idType }: ListCompletedMissionsRequest,
  clock: Clock,
): Promise<MessageInitShape<typeof ListCompletedMissionsResponseSchema>> {
  return db.read(principal.clientId, async (uow) => ({
    assignments: await storedViews(
      uow,
      await catalogs(uow),
      { accountId, idType },
      clock(),
      (view) => view.status === 'COMPLETED',
      (a, b) => (b.completedAt ?? 0) - (a.completedAt ?? 0),
    ),
  }));
}
