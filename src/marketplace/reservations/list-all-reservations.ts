import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAllReservationsRequest,
  ListAllReservationsResponseSchema,
} from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { RESERVATION, type Reservation, toReservationMessage } from './reservation.ts';

/** Lists reservations of all publications by page, latest first: proto PublicationAdminService.ListAllReservations. */
export function listAllReservations(
  { db, principal }: Call,
  request: ListAllReservationsRequest,
): Promise<MessageInitShape<typeof ListAllReservationsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await reservationPage(uow, request);
    return { ...page, rows: page.rows.map(toReservationMessage) };
  });
}

const reservationPage = pagedList<Reservation>({
  // An expired reservation shows EXPIRED, closed or not, by the database's clock, which every host follows: docs/decisions/0019. The time
  // is that of the statement: PostgreSQL would compute a value that varies by row for all rows before it sorts them.
  from: `(select client_id, id, publication_id, account_id, quantity, expires_at, points_cost, created_at,
                 case when status = 'ACTIVE' and expires_at <= statement_timestamp() then 'EXPIRED' else status end as status
            from reservation) as reservation`,
  columns: RESERVATION,
  // A UUIDv7 sorts by the time of its creation.
  orderBy: ['id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    publicationId: { kind: 'uuid', column: 'publication_id' },
    accountId: { kind: 'uuid', column: 'account_id' },
    status: { kind: 'enum', column: 'status', values: ['ACTIVE', 'RELEASED', 'REDEEMED', 'EXPIRED'] },
    createdAt: { kind: 'timestamp', column: 'created_at' },
    expiresAt: { kind: 'timestamp', column: 'expires_at' },
  },
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id', 'account_id'] },
});
