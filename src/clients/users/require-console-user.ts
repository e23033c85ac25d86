import { LockMode } from '@mikro-orm/core';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type ConsoleUserEntity, consoleUserTable } from './console-user.entity.ts';

/**
 * A user of the unit of work's client, locked until the transaction ends.
 * @throws DomainError `CONSOLE_USER_NOT_FOUND`
 */
export async function requireConsoleUser(uow: UnitOfWork, id: string): Promise<ConsoleUserEntity> {
  const key = { clientId: uow.clientId, id: id.toLowerCase() };
  const user = await uow.em.findOne(consoleUserTable, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!user) throw new DomainError('CONSOLE_USER_NOT_FOUND', sentence`There is no user with the id ${id}.`);
  return user;
}
