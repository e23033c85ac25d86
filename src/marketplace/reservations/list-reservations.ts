import { enumToJson, type MessageInitShape } from '@bufbuild/protobuf';
import { Reservation_Status, Reservation_StatusSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import type {
  ListReservationsRequest,
  ListReservationsResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { toReservationMessage, type ReservationStatus } from './reservation.ts';
import { selectReservations } from './reservations.queries.ts';

/** Reservations in one answer: some three megabytes of JSON. */
const LIMIT = 10_000;

/** Lists reservations, latest first: proto MarketplaceService.ListReservations. */
export function listReservations(
  { db, principal, now }: Call,
  request: ListReservationsRequest,
): Promise<MessageInitShape<typeof ListReservationsResponseSchema>> {
  const { accountId, idType, publicationId } = request;
  const status = enumToJson(Reservation_StatusSchema, request.status || Reservation_Status.ACTIVE) as ReservationStatus;
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = accountId === undefined ? undefined : await findAccountToRead(uow, { accountId, idType });
    if (accountId !== undefined && account === undefined) return { reservations: [] };
    const query = { accountId: account?.id, publicationId, status, limit: LIMIT };
    const reservations = await selectReservations(uow, query, now);
    return { reservations: reservations.map(toReservationMessage) };
  });
}
