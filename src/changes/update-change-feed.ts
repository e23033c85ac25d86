import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ChangeFeedSchema,
  ChangeService,
  type UpdateChangeFeedRequest,
  type UpdateChangeFeedResponseSchema,
} from '../../gen/laurel/v1/change_service_pb.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Call } from '../clients/call.ts';
import { type Feed, lockFeed, saveFeed } from './change-feed.queries.ts';
import { switchesFeed } from './collect-changes.ts';
import { toFeedMessage } from './get-change-feed.ts';

/** Switches the feed on or off: proto ChangeService.UpdateChangeFeed. */
export function updateChangeFeed(
  { db, principal, now }: Call,
  { keepDays = 0 }: UpdateChangeFeedRequest,
): Promise<MessageInitShape<typeof UpdateChangeFeedResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const feed = await lockFeed(uow);
    const before = await toFeedMessage(uow, feed);
    if (feed.keepDays === keepDays) return { feed: before };
    const changed = withDays(feed, keepDays, now);
    await saveFeed(uow, changed);
    switchesFeed(uow);
    const after = await toFeedMessage(uow, changed);
    const operation = ChangeService.method.updateChangeFeed;
    await recordChange(uow, principal, { operation, schema: ChangeFeedSchema, before, after });
    return { feed: after };
  });
}

/** Housekeeping deletes the rows. */
function withDays(feed: Feed, keepDays: number, now: Date): Feed {
  if (keepDays === 0) return { ...feed, keepDays, deletedUpTo: feed.number, onSince: undefined };
  if (feed.keepDays > 0) return { ...feed, keepDays };
  // Skips a number, so that no cursor from before passes the time without a feed.
  const number = feed.number + 1;
  return { keepDays, number, deletedUpTo: number, onSince: now };
}
