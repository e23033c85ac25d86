import { newId } from '../../../src/kernel/ids.ts';
import type { Database } from '../../../src/persistence/database.ts';

/** Inserts a refused message of the rewards webhook that waits an hour for its retry. Returns its id. */
export async function newRetry({ db }: { readonly db: Database }, clientId: string): Promise<string> {
  const id = newId();
  await db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into webhook_retry (client_id, id, configuration_id, type, body, attempts, failed_retries, first_attempt_at,
                                  next_attempt_at, last_outcome, last_status_code)
       select client_id, $2, configuration_id, type, '[]', 3, 2, clock_timestamp(), clock_timestamp() + interval '1 hour',
              'REFUSED', 503
         from webhook_configuration where client_id = $1 and type = 'REWARDS'`,
      [clientId, id],
    ),
  );
  return id;
}
