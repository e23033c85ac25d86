import { TimelineEntry_Kind, type TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { timelineMoment, type TimelineSource, windowInMs } from '../persistence/subjects/timeline-source.ts';
import { toJournalMessage } from './journal-message.ts';
import { journalEntries } from './read-journal.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];

/** The outcomes of an account's events, for its timeline, including events without effect. */
export function eventTimeline(catalogs: Catalogs): TimelineSource<Content> {
  return {
    kind: TimelineEntry_Kind.EVENT,
    async page(uow, accountId, window, limit) {
      const { last } = window;
      const after = last && { recordedAt: new Date(last.at / 1_000), id: last.id };
      const catalog = await catalogs(uow);
      const rows = await journalEntries(uow, { accountId, after, ...windowInMs(window) }, limit);
      return rows.map((row) => ({
        at: timelineMoment(row.recordedAt),
        id: row.id,
        content: { case: 'event', value: toJournalMessage(row, catalog) },
      }));
    },
  };
}
