import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListMissionProgressRequest,
  ListMissionProgressResponseSchema,
} from '../../../gen/laurel/v1/feed_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { storedViews } from './stored-views.ts';

/** Lists the missions that an account has started and can still complete, oldest start first: proto FeedService.ListMissionProgress. */
export function listMissionProgress(
  { db, principal, clock }: Call,
  { accountId, idType }: ListMissionProgressRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof ListMissionProgressResponseSchema>> {
  return db.read(principal.clientId, async (uow) => ({
    assignments: await storedViews(
      uow,
      await catalogs(uow),
      { accountId, idType },
      clock(),
      (view) => view.status === 'ACTIVE',
      (a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0),
    ),
  }));
}
