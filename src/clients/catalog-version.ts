import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/**
 * The version of the client's present definitions. A catalogue with another version is stale.
 * @throws DomainError `CLIENT_NOT_FOUND`
 */
export async function catalogVersion(uow: UnitOfWork): Promise<bigint> {
  const [row] = await uow.query<{ version: string }>(
    `select catalog_version::text as version from client where id = $1`,
    [uow.clientId],
  );
  if (row === undefined) throw clientNotFound(uow.clientId);
  return BigInt(row.version);
}

/**
 * Makes every process read the client's definitions again before its next batch. Call it in the transaction of the change, so that the new
 * version and the new definitions appear together. Changes of one client wait for each other here.
 * @throws DomainError `CLIENT_NOT_FOUND`
 */
export async function bumpCatalogVersion(uow: UnitOfWork): Promise<void> {
  const rows = await uow.query(`update client set catalog_version = catalog_version + 1 where id = $1 returning id`, [
    uow.clientId,
  ]);
  if (rows.length === 0) throw clientNotFound(uow.clientId);
}

/**
 * Serialises changes of the client's definitions until the end of the transaction, so that a check (for example, that a
 * reward is unused) still holds at the commit. Take it before every other lock.
 */
export async function lockCatalog(uow: UnitOfWork): Promise<void> {
  await uow.query(`select id from client where id = $1 for no key update`, [uow.clientId]);
}

/** The 404 of an unknown client id. */
export function clientNotFound(id: string) {
  return new DomainError('CLIENT_NOT_FOUND', sentence`There is no client ${id}.`);
}
