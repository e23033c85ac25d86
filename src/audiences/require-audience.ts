import { LockMode } from '@mikro-orm/core';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type AudienceEntity, audienceTable } from './audience.entity.ts';

/**
 * One audience; `forChange` locks it until the transaction ends.
 * @throws DomainError `AUDIENCE_NOT_FOUND`
 */
export async function requireAudience(
  uow: UnitOfWork,
  id: string,
  { forChange = false } = {},
): Promise<AudienceEntity> {
  const key = { clientId: uow.clientId, id: id.toLowerCase(), deletedAt: null };
  const audience = await uow.em.findOne(audienceTable, key, forChange ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {});
  if (!audience) throw new DomainError('AUDIENCE_NOT_FOUND', sentence`There is no audience with the id ${id}.`);
  return audience;
}
