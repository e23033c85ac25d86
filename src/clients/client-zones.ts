import type { PastZone, ZoneHistory } from '../kernel/time/zone-history.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { clientNotFound } from './catalog-version.ts';

/**
 * The time zones for accounts without their own zone.
 * @throws DomainError `CLIENT_NOT_FOUND`
 */
export async function clientZones(uow: UnitOfWork): Promise<ZoneHistory<string>> {
  const [row] = await uow.query<{ time_zone: string; past_zones: PastZone<string>[] }>(
    `select time_zone, past_zones from client where id = $1`,
    [uow.clientId],
  );
  if (row === undefined) throw clientNotFound(uow.clientId);
  return { timeZone: row.time_zone, past: row.past_zones };
}

/** SQL for conditions of other modules: whether client `$1` has never changed its time zone. */
export const HAS_ONE_ZONE = `exists (select from client where id = $1 and past_zones = '[]')`;
