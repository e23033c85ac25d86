import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ConsoleUserAdminService,
  type EndConsoleUserSessionsRequest,
  type EndConsoleUserSessionsResponseSchema,
  type ListConsoleUserSessionsRequest,
  type ListConsoleUserSessionsResponseSchema,
} from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Call } from '../call.ts';
import { requireMayActOn } from '../permissions.ts';
import { openSessions } from '../sessions/open-sessions.ts';
import { endSessions } from '../sessions/sessions.queries.ts';
import { toConsoleUserMessage } from './console-user-message.ts';
import { requireConsoleUser } from './require-console-user.ts';

/** Lists the open sessions of one user: proto ConsoleUserAdminService.ListConsoleUserSessions. */
export async function listConsoleUserSessions(
  { db, principal, now }: Call,
  { id }: ListConsoleUserSessionsRequest,
): Promise<MessageInitShape<typeof ListConsoleUserSessionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { id: userId } = await requireConsoleUser(uow, id);
    return { rows: await openSessions(uow, { userId, now, current: principal.credentialId }) };
  });
}

/** Ends all sessions of one user: proto ConsoleUserAdminService.EndConsoleUserSessions. */
export async function endConsoleUserSessions(
  { db, principal, now }: Call,
  { id }: EndConsoleUserSessionsRequest,
): Promise<MessageInitShape<typeof EndConsoleUserSessionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const user = await requireConsoleUser(uow, id);
    requireMayActOn(principal, user.role, sentence`This user`);
    const shown = toConsoleUserMessage(user);
    const ended = await endSessions(uow, user.id, now);
    await recordChange(uow, principal, {
      operation: ConsoleUserAdminService.method.endConsoleUserSessions,
      schema: ConsoleUserSchema,
      id: user.id,
      before: shown,
      after: shown,
      note: `${ended} sessions were open.`,
    });
    return { ended };
  });
}
