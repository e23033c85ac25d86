import { LockMode } from '@mikro-orm/core';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type WebhookEndpointEntity, webhookEndpointTable } from './webhook-endpoint.entity.ts';

/**
 * One endpoint; `forChange` locks it until the transaction ends.
 * @throws DomainError `WEBHOOK_ENDPOINT_NOT_FOUND`
 */
export async function requireEndpoint(
  uow: UnitOfWork,
  id: string,
  { forChange = false } = {},
): Promise<WebhookEndpointEntity> {
  const key = { clientId: uow.clientId, id: id.toLowerCase() };
  const lock = forChange ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {};
  const endpoint = await uow.em.findOne(webhookEndpointTable, key, lock);
  if (!endpoint) throw endpointNotFound(id);
  return endpoint;
}

/** The 404 of a message whose endpoint was deleted. */
export function endpointDeleted(id: string): DomainError {
  return new DomainError(
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    sentence`The endpoint ${id} of the message was deleted. Let the integrator read the rewards, missions, publications or products instead.`,
  );
}

/** The 404 of an unknown endpoint. */
export function endpointNotFound(id: string): DomainError {
  return new DomainError('WEBHOOK_ENDPOINT_NOT_FOUND', sentence`There is no webhook endpoint with the id ${id}.`);
}
