import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  ChangeFeedSchema,
  GetChangeFeedRequest,
  GetChangeFeedResponseSchema,
} from '../../gen/laurel/v1/change_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type Feed, selectFeed } from './change-feed.queries.ts';
import { cursorOf } from './cursor.ts';
import { endOf } from './read-changes.ts';

/** Returns the feed: proto ChangeService.GetChangeFeed. */
export function getChangeFeed(
  { db, principal }: Call,
  _request: GetChangeFeedRequest,
): Promise<MessageInitShape<typeof GetChangeFeedResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({ feed: await toFeedMessage(uow, await selectFeed(uow)) }));
}

/** A feed as the API shows it. */
export async function toFeedMessage(uow: UnitOfWork, feed: Feed): Promise<MessageInitShape<typeof ChangeFeedSchema>> {
  return {
    keepDays: feed.keepDays,
    nextAfter: cursorOf(await endOf(uow, feed)),
    onSince: feed.onSince && timestampFromDate(feed.onSince),
  };
}
