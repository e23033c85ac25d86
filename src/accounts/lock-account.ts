import { isUniqueViolation } from '../persistence/connections/failures.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { externalIdTaken } from './account-texts.ts';
import { accountNotFound, type AccountRef, keysOf, parseAccountRef } from './resolving/account-ref.ts';
import { type AccountEntity, accountTable, EXTERNAL_ID_UNIQUE } from './account.entity.ts';
import { selectRows } from './accounts.queries.ts';

/**
 * One account as an entity of the unit of work, locked until the transaction ends. MikroORM has no lock as weak as `change`: its own would
 * wait for every lock for presence.
 * @throws DomainError 400 for a malformed ref, 404 `ACCOUNT_NOT_FOUND`
 */
export async function lockAccount(
  uow: UnitOfWork,
  ref: AccountRef,
  lock: 'change' | 'removal',
): Promise<AccountEntity> {
  const key = parseAccountRef(ref);
  const [row] = await selectRows(uow, keysOf(key), lock);
  if (row === undefined) throw accountNotFound(key);
  const { aliases: _, ...stored } = row;
  return uow.em.map(accountTable, { client_id: uow.clientId, ...stored });
}

/**
 * Flushes an account. Waits for another transaction that takes the same external id.
 * @throws DomainError 409 `ACCOUNT_ALREADY_EXISTS` if another account that is not deleted has the external id
 */
export async function flushAccount(uow: UnitOfWork, { externalId }: AccountEntity): Promise<void> {
  await uow.em.flush().catch((error: unknown) => {
    throw isUniqueViolation(error, EXTERNAL_ID_UNIQUE) ? externalIdTaken(externalId!) : error;
  });
}
