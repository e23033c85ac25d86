import type { MessageInitShape } from '@bufbuild/protobuf';
import { TimelineEntry_Kind as Kind, type TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { newestOfAccount, type TimelineSource } from '../persistence/subjects/timeline-source.ts';
import type { Catalogs } from './catalog/catalog.ts';
import { toFreezeEntryMessage } from './freezes/freeze-message.ts';
import { ENTRY, type EntryRow, freezeEntryOf } from './freezes/streak-freezes.queries.ts';
import { toVacationMessage } from './vacations/vacation-message.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];

/** The freezes and vacations of an account, for its timeline: they keep its streaks from being lost. */
export function streakTimelines(catalogs: Catalogs): readonly TimelineSource<Content>[] {
  return [
    {
      kind: Kind.STREAK_FREEZE,
      async page(uow, accountId, window, limit) {
        const catalog = await catalogs(uow);
        const asked = { accountId, window, limit };
        const rows = await newestOfAccount<EntryRow>(uow, { select: ENTRY, table: 'streak_freeze' }, asked);
        return rows.map(({ at, id, row }) => {
          return {
            at,
            id,
            content: { case: 'streakFreeze', value: toFreezeEntryMessage(catalog, freezeEntryOf(row)) },
          };
        });
      },
    },
    {
      kind: Kind.VACATION,
      async page(uow, accountId, window, limit) {
        const asked = { accountId, window, limit };
        const select = 'id, first_day as first, last_day as last';
        const rows = await newestOfAccount<{ readonly id: string; readonly first: number; readonly last: number }>(
          uow,
          { select, table: 'vacation' },
          asked,
        );
        return rows.map(({ at, id, row }) => {
          return { at, id, content: { case: 'vacation', value: toVacationMessage(row) } };
        });
      },
    },
  ];
}
