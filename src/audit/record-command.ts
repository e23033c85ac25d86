import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { CLIENT_ROWS } from '../persistence/client-row.ts';
import type { Actor } from './actor.ts';

/** A command that concerns every client, by its name in the log: `CommandLine.Migrate`. */
export type RecordedCommand = {
  readonly name: 'Migrate' | 'Distribute' | 'RepairRoles' | 'SealSecrets' | 'ConfirmClock';
  /** The effect of the command, for the administrators of every client; absent if they do not need it. */
  readonly note?: string | undefined;
};

/** Clients per statement. */
const SLICE = 5_000;

/** Adds a command to the audit log of each of `clientIds`, in a system unit of work. */
export async function recordCommandOf(
  uow: UnitOfWork,
  clientIds: readonly string[],
  actor: Actor,
  { name, note }: RecordedCommand,
): Promise<void> {
  for (let from = 0; from < clientIds.length; from += SLICE) {
    const slice = clientIds.slice(from, from + SLICE);
    await uow.query(
      `insert into audit_entry (client_id, id, actor_type, actor_name, operation, resource_type, note)
       select c.client_id, entry.id, $3, $4, $5, 'service', $6
         from ${CLIENT_ROWS} join unnest($1::uuid[], $2::uuid[]) as entry (client_id, id) on entry.client_id = c.client_id`,
      [slice, slice.map(newId), actor.type, actor.name, `CommandLine.${name}`, note ?? null],
    );
  }
}
