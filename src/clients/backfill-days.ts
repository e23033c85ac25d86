import type { UnitOfWork } from '../persistence/database.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { clientNotFound } from './catalog-version.ts';

/**
 * The most days that a backfilled event of the client may be late; 0 for no backfill.
 * @throws DomainError `CLIENT_NOT_FOUND`
 */
export async function backfillDaysMax(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ days: number }>(`select backfill_days_max as days from client where id = $1`, [
    uow.clientId,
  ]);
  if (row === undefined) throw clientNotFound(uow.clientId);
  return row.days;
}

/**
 * The same for a client that takes backfill.
 * @throws DomainError `BACKFILL_NOT_ENABLED`
 */
export async function requireBackfillDays(uow: UnitOfWork): Promise<number> {
  const days = await backfillDaysMax(uow);
  if (days > 0) return days;
  throw new DomainError(
    'BACKFILL_NOT_ENABLED',
    'The client takes no backfill. An administrator sets `backfillDaysMax` above 0 first: PUT /admin/clients/{id}.',
  );
}
