import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import type { UnfreezePublicationResponse } from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { runOrders } from '../orders/run-orders.ts';
import type { Reservation } from './reservation.ts';
import { findReservation } from './reservations.queries.ts';

/**
 * Releases the units of one reservation in the caller's transaction, and returns its state before and after.
 * @throws DomainError `RESERVATION_NOT_FOUND`, `RESERVATION_NOT_ACTIVE`
 */
export async function releaseReservation(
  uow: UnitOfWork,
  id: string,
  now: Date,
): Promise<{ readonly before: Reservation; readonly after: Reservation }> {
  const before = await findReservation(uow, id);
  if (before === undefined) throw new DomainError('RESERVATION_NOT_FOUND', sentence`There is no reservation ${id}.`);
  const { publicationId, accountId } = before;
  const account = { accountId, idType: Account_IdType.INTERNAL };
  const order = { kind: 'unfreeze', publicationId, account, reservationId: id } as const;
  const [answer] = await runOrders(uow, [order], { now });
  // A reservation of a deleted account has no units either.
  if (answer instanceof DomainError || (answer as UnfreezePublicationResponse).releasedQuantity === 0) {
    const message = sentence`The reservation holds nothing any more: it was given back or bought, or its time ran out.`;
    throw new DomainError('RESERVATION_NOT_ACTIVE', message);
  }
  return { before, after: (await findReservation(uow, id)) ?? before };
}
