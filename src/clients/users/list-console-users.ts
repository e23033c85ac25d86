import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListConsoleUsersRequest,
  ListConsoleUsersResponseSchema,
} from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import type { RowOf } from '../../persistence/columns-of.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import type { Call } from '../call.ts';
import { USER_ROLES } from '../permissions.ts';
import { CONSOLE_USER, toConsoleUserMessage } from './console-user-message.ts';

/** Lists users by page and e-mail: proto ConsoleUserAdminService.ListConsoleUsers. */
export function listConsoleUsers(
  { db, principal }: Call,
  request: ListConsoleUsersRequest,
): Promise<MessageInitShape<typeof ListConsoleUsersResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await userPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toConsoleUserMessage(row)) };
  });
}

const userPage = pagedList<RowOf<typeof CONSOLE_USER>>({
  from: 'console_user',
  columns: CONSOLE_USER,
  orderBy: ['email', 'id'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    email: { kind: 'text', column: 'email' },
    name: { kind: 'text', column: 'name' },
    role: { kind: 'enum', column: 'role', values: USER_ROLES },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: {
    email: { column: 'email' },
    name: { column: 'name' },
    role: { column: 'role' },
    createdAt: { column: 'created_at' },
    lastSignedInAt: { column: 'last_signed_in_at', nullable: true },
  },
  searched: { ids: ['id'], parts: ['email', 'name'] },
});
