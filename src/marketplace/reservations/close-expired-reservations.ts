import { clientsWith } from '../../clients/client-ids.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { findDuePublication, IS_OVER, shortenReservations } from './reservations.queries.ts';
import { closeSomeDue } from '../sellable-stock.queries.ts';

/** Reservations closed in one transaction: some tens of milliseconds under the lock of a publication or agreement. */
const BATCH = 500;

/**
 * A scheduled job that closes the client's expired reservations. No answer depends on it. It uses small transactions, so that it may be
 * stopped at any point and continued later.
 * @returns the number of closed reservations
 */
export async function closeExpiredReservations(db: Database, clientId: string, now: Date): Promise<number> {
  await db.unitOfWork(clientId, (uow) => shortenReservations(uow, now));
  for (let closed = 0; ;) {
    const publication = await db.unitOfWork(clientId, (uow) => findDuePublication(uow, now));
    if (publication === undefined) return closed;
    closed += await db.unitOfWork(clientId, (uow) => closeSomeDue(uow, publication, now, BATCH));
  }
}

/** The clients with expired reservations, in a system unit of work. */
export function clientsWithExpiredReservations(uow: UnitOfWork, now: Date): Promise<string[]> {
  const due = `select from reservation
    where client_id = c.id and status = 'ACTIVE' and ${IS_OVER} limit 1`;
  return clientsWith(uow, due, [now]);
}
