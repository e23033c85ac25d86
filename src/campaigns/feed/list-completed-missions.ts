import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListCompletedMissionsRequest,
  ListCompletedMissionsResponseSchema,
} from '../../../gen/laurel/v1/feed_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { storedViews } from './stored-views.ts';

/** Lists the completed missions of an account, latest first: proto FeedService.ListCompletedMissions. */
export function listCompletedMissions(
  { db, principal, clock }: Call,
  { accountId, idType }: ListCompletedMissionsRequest,
  catalogs: Catalogs,
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
