import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { TimelineRow, TimelineSource, TimelineWindow } from '../persistence/subjects/timeline-source.ts';

/** The timeline source of a module. */
export type Source = TimelineSource<MessageInitShape<typeof TimelineEntrySchema>['what']>;

/** The place of a row in a timeline, which is ordered by moment, latest first, then by kind, then as its source orders it. */
export type TimelinePlace = { readonly at: number; readonly kind: number; readonly id: string };

/** A row with the kind of its source. */
export type MergedRow = TimelineRow<MessageInitShape<typeof TimelineEntrySchema>['what']> & TimelinePlace;

/** Which rows are wanted, in microseconds since 1970. */
export type TimelineQuery = {
  readonly accountId: string;
  readonly from: number;
  readonly until: number;
  /** Only rows behind this one. */
  readonly after?: TimelinePlace | undefined;
};

/** The latest rows of all sources together, `limit` at most. Each source gives as many, because all may be of one. */
export async function mergedPage(
  uow: UnitOfWork,
  sources: readonly Source[],
  { accountId, ...query }: TimelineQuery,
  limit: number,
): Promise<MergedRow[]> {
  const pages = await Promise.all(
    sources.map(async ({ kind, page }) => {
      const rows = await page(uow, accountId, windowOf(kind, query), limit);
      return rows.map((row) => ({ ...row, kind }));
    }),
  );
  // Stable, so that rows of one source stay as it gave them.
  return pages
    .flat()
    .toSorted((one, other) => other.at - one.at || one.kind - other.kind)
    .slice(0, limit);
}

/**
 * The condition for a source's rows after the cursor: at the same time, the rows of later kinds and the rest of its
 * own.
 */
function windowOf(kind: number, { from, until, after }: Omit<TimelineQuery, 'accountId'>): TimelineWindow {
  if (after === undefined) return { from, until };
  const last = kind === after.kind ? after : undefined;
  return { from, until: Math.min(until, kind < after.kind ? after.at : after.at + 1), last };
}
