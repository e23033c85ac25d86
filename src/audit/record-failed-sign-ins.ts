import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { OWN } from '../persistence/own-client.ts';

/** Sign-ins as one user that failed, from one network. */
export type FailedSignIns = {
  /** The nil UUID where there is no such user. */
  readonly userId: string;
  readonly network: string;
  readonly note: string;
};

const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Enters sign-ins that failed, in a unit of work of the user's client. For nobody it takes as long and enters nothing, so that
 * the time of an answer does not tell whether there is such a user.
 */
export async function recordFailedSignIns(uow: UnitOfWork, { userId, network, note }: FailedSignIns): Promise<void> {
  await uow.query(
    `insert into audit_entry (client_id, id, actor_type, actor_name, operation, resource_type, resource_id, note)
     select own.client_id, $2, 'UNKNOWN', $3, 'SessionService.SignInFailed', 'consoleUser', $4, $5
       from ${OWN} where own.client_id <> '${NOBODY}'`,
    [uow.clientId, newId(), network, userId, note],
  );
}
