import type { MessageInitShape } from '@bufbuild/protobuf';
import { TimelineEntry_Kind, type TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import type { TimelineSource } from '../persistence/subjects/timeline-source.ts';
import { entriesBefore } from './loyalty.queries.ts';
import { toPointEntryMessage } from './point-entry-message.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];

/** The movements of an account's points, for its timeline. No two entries of an account have the same microsecond. */
export const pointTimeline: TimelineSource<Content> = {
  kind: TimelineEntry_Kind.POINTS,
  async page(uow, accountId, { from, until, last }, limit) {
    const entries = await entriesBefore(uow, accountId, limit, last?.at ?? until);
    return entries
      .filter(({ createdAt }) => createdAt >= from)
      .map((entry) => ({
        at: entry.createdAt,
        id: entry.id,
        content: { case: 'points', value: toPointEntryMessage(entry) },
      }));
  },
};
