import { type Resealed, resealed, type SecretBox } from '../../kernel/secrets/secret-box.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { secretOwner } from './take-code.ts';

/** Users per unit of work: their rows stay locked until it ends. */
const AT_ONCE = 100;

/**
 * Encrypts the secrets of all second factors with the current key. May be repeated, and run while the service runs.
 * @returns the number of encrypted secrets, and of secrets that no configured key decrypts
 */
export async function resealSecondFactors(db: Database, secrets: SecretBox): Promise<Resealed> {
  const users = await db.systemUnitOfWork((uow) =>
    uow.query<{ clientId: string; id: string; sealed: string }>(
      `select client_id as "clientId", id, second_factor_sealed as sealed from console_user
        where second_factor_sealed is not null order by client_id, id`,
    ),
  );
  const count = { resealed: 0, unreadable: 0 };
  const due = Map.groupBy(
    users.filter(({ sealed }) => !secrets.isCurrent(sealed)),
    ({ clientId }) => clientId,
  );
  for (const [clientId, those] of due) {
    for (let from = 0; from < those.length; from += AT_ONCE) {
      const ids = those.slice(from, from + AT_ONCE).map(({ id }) => id);
      for (const result of await db.unitOfWork(clientId, (uow) => resealUsers(uow, secrets, ids))) count[result] += 1;
    }
  }
  return count;
}

/** The rows are read again under a lock, so that a second factor set up meanwhile is not overwritten. */
async function resealUsers(
  uow: UnitOfWork,
  secrets: SecretBox,
  ids: readonly string[],
): Promise<Array<'resealed' | 'unreadable'>> {
  const rows = await uow.query<{ id: string; sealed: string }>(
    `select id, second_factor_sealed as sealed from console_user
      where client_id = $1 and id = any($2::uuid[]) and second_factor_sealed is not null order by id for update`,
    [uow.clientId, ids],
  );
  const results: Array<'resealed' | 'unreadable'> = [];
  for (const { id, sealed } of rows) {
    const again = resealed(secrets, sealed, secretOwner({ clientId: uow.clientId, id }));
    results.push(again === undefined ? 'unreadable' : 'resealed');
    if (again === undefined) continue;
    await uow.query('update console_user set second_factor_sealed = $3 where client_id = $1 and id = $2', [
      uow.clientId,
      id,
      again,
    ]);
  }
  return results;
}
