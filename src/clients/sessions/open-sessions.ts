import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { OpenSessionSchema } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { consoleSessionTable } from './console-session.entity.ts';

/** The most sessions in a list: a person has a few, and a script that signs in every minute does not need all. */
const LISTED = 100;

const SESSION = columnsOf(consoleSessionTable, ['id', 'userAgent', 'address', 'createdAt', 'lastUsedAt', 'expiresAt']);

/**
 * The open sessions of a user of the unit of work's client, the most recently used first.
 * @param current the session of the call
 */
export async function openSessions(
  uow: UnitOfWork,
  { userId, now, current }: { readonly userId: string; readonly now: Date; readonly current: string },
): Promise<MessageInitShape<typeof OpenSessionSchema>[]> {
  const rows = await uow.query<RowOf<typeof SESSION>>(
    `select ${SESSION} from console_session
      where client_id = $1 and user_id = $2 and ended_at is null and expires_at > $3
      order by coalesce(last_used_at, created_at) desc, id limit ${LISTED}`,
    [uow.clientId, userId, now],
  );
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent ?? '',
    address: row.address ?? '',
    createdAt: timestampFromDate(row.created_at),
    lastUsedAt: timestampFromDate(row.last_used_at ?? row.created_at),
    expiresAt: timestampFromDate(row.expires_at),
    current: row.id === current,
  }));
}
