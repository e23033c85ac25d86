import {
  AccountAdminService,
  type ReleaseReservationRequest,
  type ReleaseReservationResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { ReservationSchema } from '../../gen/laurel/v1/marketplace_pb.ts';
import type { Call } from '../clients/call.ts';
import { uuid } from '../idempotency/content.ts';
import { releaseReservation } from '../marketplace/reservations/release-reservation.ts';
import { toReservationMessage } from '../marketplace/reservations/reservation.ts';
import { runSupportAction, type Waker } from './support-action.ts';

/** Releases the units of a reservation: proto AccountAdminService.ReleaseReservation. */
export function releaseReservationOfAccount(
  call: Call,
  request: ReleaseReservationRequest,
  dispatcher: Waker,
): Promise<ReleaseReservationResponse> {
  const id = request.id.toLowerCase();
  return runSupportAction(call, {
    method: AccountAdminService.method.releaseReservation,
    request,
    dispatcher,
    content: [uuid(id)],
    async work(uow) {
      const released = await releaseReservation(uow, id, call.now);
      const [before, after] = [toReservationMessage(released.before), toReservationMessage(released.after)];
      return { answer: { reservation: after }, change: { schema: ReservationSchema, id, before, after } };
    },
  });
}
