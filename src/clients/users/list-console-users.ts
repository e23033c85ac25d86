import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListConsoleUsersRequest,
  ListConsoleUsersResponseSchema,
} from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import type { Call } from '../call.ts';
import { toConsoleUserMessage } from './console-user-message.ts';
import { consoleUserTable } from './console-user.entity.ts';

/** Lists users by page, by e-mail: proto ConsoleUserAdminService.ListConsoleUsers. */
export function listConsoleUsers(
  { db, principal }: Call,
  request: ListConsoleUsersRequest,
): Promise<MessageInitShape<typeof ListConsoleUsersResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await userPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toConsoleUserMessage(uow.em.map(consoleUserTable, row))) };
  });
}

const userPage = pagedList({
  from: 'console_user',
  columns:
    'client_id, id, email, name, role, password_temporary, locked_until, last_signed_in_at, created_at, updated_at, disabled_at, version',
  orderBy: ['email', 'id'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    email: { kind: 'text', column: 'email' },
    name: { kind: 'text', column: 'name' },
    role: { kind: 'enum', column: 'role', values: ['CLIENT_ADMIN', 'SERVICE_ADMIN'] },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
});
