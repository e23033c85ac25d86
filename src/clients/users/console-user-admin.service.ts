import type { ServiceImpl } from '@connectrpc/connect';
import type { ConsoleUserAdminService } from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { principalOf } from '../principal.ts';
import { createConsoleUser } from './create-console-user.ts';
import { getConsoleUser } from './get-console-user.ts';
import { listConsoleUsers } from './list-console-users.ts';
import { resetConsoleUserPassword } from './reset-console-user-password.ts';
import { updateConsoleUser } from './update-console-user.ts';

/** The people who may sign in to the console of one client. */
export function consoleUserAdminService(db: Database, clock: Clock) {
  return {
    createConsoleUser: (request, context) => createConsoleUser(db, principalOf(context), request),
    getConsoleUser: (request, context) => getConsoleUser(db, principalOf(context), request),
    listConsoleUsers: (request, context) => listConsoleUsers(db, principalOf(context), request),
    updateConsoleUser: (request, context) => updateConsoleUser(db, principalOf(context), request, clock()),
    resetConsoleUserPassword: (request, context) =>
      resetConsoleUserPassword(db, principalOf(context), request, clock()),
  } satisfies ServiceImpl<typeof ConsoleUserAdminService>;
}
