import type { ConsoleUserAdminService } from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import type { Handlers } from '../call.ts';
import { endConsoleUserSessions, listConsoleUserSessions } from './console-user-sessions.ts';
import { createConsoleUser } from './create-console-user.ts';
import { getConsoleUser } from './get-console-user.ts';
import { listConsoleUsers } from './list-console-users.ts';
import { resetConsoleUserPassword } from './reset-console-user-password.ts';
import { resetConsoleUserSecondFactor } from './reset-console-user-second-factor.ts';
import { updateConsoleUser } from './update-console-user.ts';

/** The operations on the console users of one client. */
export const consoleUserAdminService = {
  createConsoleUser,
  getConsoleUser,
  listConsoleUsers,
  updateConsoleUser,
  resetConsoleUserPassword,
  resetConsoleUserSecondFactor,
  listConsoleUserSessions,
  endConsoleUserSessions,
} satisfies Handlers<typeof ConsoleUserAdminService>;
