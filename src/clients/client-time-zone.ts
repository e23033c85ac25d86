import type { UnitOfWork } from '../persistence/database.ts';
import { clientNotFound } from './catalog-version.ts';

/**
 * IANA zone of the calendar periods of accounts that have none of their own.
 * @throws DomainError `CLIENT_NOT_FOUND`
 */
export async function clientTimeZone(uow: UnitOfWork): Promise<string> {
  const [row] = await uow.query<{ time_zone: string }>(`select time_zone from client where id = $1`, [uow.clientId]);
  if (row === undefined) throw clientNotFound(uow.clientId);
  return row.time_zone;
}
