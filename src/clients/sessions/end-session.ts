import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import {
  type EndSessionRequest,
  type EndSessionResponseSchema,
  SessionService,
} from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Call } from '../call.ts';
import { requireUser } from './require-user.ts';
import { endSessionOf } from './sessions.queries.ts';

/** Ends one of the caller's own sessions: proto SessionService.EndSession. */
export async function endSession(
  { db, principal, now }: Call,
  { id }: EndSessionRequest,
): Promise<MessageInitShape<typeof EndSessionResponseSchema>> {
  const user = requireUser(principal);
  await db.unitOfWork(user.clientId, async (uow) => {
    if (!(await endSessionOf(uow, user.id, id.toLowerCase(), now))) {
      throw new DomainError('SESSION_NOT_FOUND', sentence`You have no open session ${id}. It may have ended already.`);
    }
    const operation = SessionService.method.endSession;
    await recordChange(uow, principal, { operation, schema: ConsoleUserSchema, id: user.id });
  });
  return {};
}
