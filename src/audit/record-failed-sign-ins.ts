import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { CLIENT_ROW } from '../persistence/client-row.ts';

/** Failed sign-ins as one user from one network. */
export type FailedSignIns = {
  /** The nil UUID for an unknown user. */
  readonly userId: string;
  readonly network: string;
  readonly note: string;
};

const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Adds failed sign-ins to the audit log, in a unit of work of the user's client. For an unknown user it takes the same time and adds no
 * entry, so that the time of an answer does not reveal whether the user exists.
 */
export async function recordFailedSignIns(uow: UnitOfWork, { userId, network, note }: FailedSignIns): Promise<void> {
  await uow.query(
    `insert into audit_entry (client_id, id, actor_type, actor_name, operation, resource_type, resource_id, note)
     select client_row.client_id, $2, 'UNKNOWN', $3, 'SessionService.SignInFailed', 'consoleUser', $4, $5
       from ${CLIENT_ROW} where client_row.client_id <> '${NOBODY}'`,
    [uow.clientId, newId(), network, userId, note],
  );
}
