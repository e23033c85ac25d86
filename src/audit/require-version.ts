import type { DescMessage } from '@bufbuild/protobuf';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { resourceTypeOf } from './record-change.ts';

/** A row that operators edit, locked by the caller. */
export type Versioned = { readonly id: string; readonly version: number };

/**
 * Refuses to overwrite a change that was made since the editor read the row.
 * @param schema the API message of the row, as in its audit entries
 * @param read the version that the editor read; undefined accepts any version
 * @throws DomainError `VERSION_CONFLICT`, with the author and time of the change if the audit log has them
 */
export async function requireVersion(
  uow: UnitOfWork,
  schema: DescMessage,
  { id, version }: Versioned,
  read: number | undefined,
): Promise<void> {
  if (read === undefined || version === read) return;
  const type = resourceTypeOf(schema);
  const [last] = await uow.query<{ actor_name: string; created_at: Date }>(
    `select actor_name, created_at from audit_entry
      where client_id = $1 and resource_type = $2 and resource_id between $3 and $3
      order by resource_id desc, id desc limit 1`,
    [uow.clientId, type, id],
  );
  const who = last === undefined ? sentence`Somebody else` : sentence`${last.actor_name} (at ${last.created_at})`;
  throw new DomainError(
    'VERSION_CONFLICT',
    sentence`${who} changed it: you read version ${read}, it is at ${version} now. Read it again and repeat your change on that.`,
  );
}
