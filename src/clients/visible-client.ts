import type { UnitOfWork } from '../persistence/database.ts';
import { clientNotFound } from './catalog-version.ts';
import { type ClientEntity, clientTable } from './client.entity.ts';
import { hasPermission } from './permissions.ts';
import type { Principal } from './principal.ts';

/**
 * The id of a client, if the caller may see it: service administrators see all clients, other callers only their own.
 * @throws DomainError `CLIENT_NOT_FOUND`
 */
export function visibleClientId(principal: Principal, asked: string): string {
  const id = asked.toLowerCase();
  if (id !== principal.clientId && !hasPermission(principal, 'ACT_FOR_ANY_CLIENT')) throw clientNotFound(asked);
  return id;
}

/**
 * The client of the unit of work.
 * @throws DomainError `CLIENT_NOT_FOUND`
 */
export async function requireClient(uow: UnitOfWork): Promise<ClientEntity> {
  const client = await uow.em.findOne(clientTable, { id: uow.clientId });
  if (!client) throw clientNotFound(uow.clientId);
  return client;
}
