import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { TimelineRow, TimelineSource, TimelineWindow } from '../persistence/subjects/timeline-source.ts';

/** The timeline source of a module. */
export type Source = TimelineSource<MessageInitShape<typeof TimelineEntrySchema>['what']>;

/** The position of a row in a timeline. The order is by moment, latest first, then by kind, then the order of its source. */
export type TimelinePosition = { readonly at: number; readonly kind: number; readonly id: string };

/** A row with the kind of its source. */
export type MergedRow = TimelineRow<MessageInitShape<typeof TimelineEntrySchema>['what']> & TimelinePosition;

/** The selection of rows; times are microseconds since 1970. */
export type TimelineQuery = {
  /** The account, and those that were merged into it: rows that a merge leaves are theirs. */
  readonly accountIds: readonly string[];
  readonly from: number;
  readonly until: number;
  /** Only rows after this one. */
  readonly after?: TimelinePosition | undefined;
};

/** The latest rows of all sources together, at most `limit`. Each source returns up to `limit`, because all rows may be from one source. */
export async function mergedPage(
  uow: UnitOfWork,
  sources: readonly Source[],
  { accountIds, ...query }: TimelineQuery,
  limit: number,
): Promise<MergedRow[]> {
  const pages = await Promise.all(
    sources.flatMap(({ kind, page }) =>
      accountIds.map(async (accountId) => {
        const rows = await page(uow, accountId, windowOf(kind, query), limit);
        return rows.map((row) => ({ ...row, kind }));
      }),
    ),
  );
  // The sort is stable, so that rows of one source keep their order.
  return pages
    .flat()
    .toSorted((one, other) => other.at - one.at || one.kind - other.kind)
    .slice(0, limit);
}

/** The condition for a source's rows after the cursor: at the same time, the rows of later kinds and the rest of the source's kind. */
function windowOf(kind: number, { from, until, after }: Omit<TimelineQuery, 'accountIds'>): TimelineWindow {
  if (after === undefined) return { from, until };
  const last = kind === after.kind ? after : undefined;
  return { from, until: Math.min(until, kind < after.kind ? after.at : after.at + 1), last };
}
