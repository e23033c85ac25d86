import type { MessageInitShape } from '@bufbuild/protobuf';
import { TimelineEntry_Kind, type TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { newestOfAccount, type TimelineSource } from '../persistence/subjects/timeline-source.ts';
import { RESERVATION, type Reservation, toReservationMessage } from './reservations/reservation.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];

/** The reservations of an account, for its timeline; purchases are in the redemptions. */
export const reservationTimeline: TimelineSource<Content> = {
  kind: TimelineEntry_Kind.RESERVATION,
  async page(uow, accountId, window, limit) {
    const of = { accountId, window, limit };
    const rows = await newestOfAccount<Reservation>(uow, { select: RESERVATION, table: 'reservation' }, of);
    return rows.map(({ at, id, row }) => ({
      at,
      id,
      content: { case: 'reservation', value: toReservationMessage(row) },
    }));
  },
};
