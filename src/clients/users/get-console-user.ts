import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetConsoleUserRequest,
  GetConsoleUserResponseSchema,
} from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import type { Call } from '../call.ts';
import { toConsoleUserMessage } from './console-user-message.ts';
import { requireConsoleUser } from './require-console-user.ts';

/** Returns one user: proto ConsoleUserAdminService.GetConsoleUser. */
export function getConsoleUser(
  { db, principal }: Call,
  { id }: GetConsoleUserRequest,
): Promise<MessageInitShape<typeof GetConsoleUserResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    user: toConsoleUserMessage(await requireConsoleUser(uow, id)),
  }));
}
