import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListSessionsResponseSchema } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import type { Call } from '../call.ts';
import { openSessions } from './open-sessions.ts';
import { requireUser } from './require-user.ts';

/** Lists the caller's own open sessions: proto SessionService.ListSessions. */
export async function listSessions({
  db,
  principal,
  now,
}: Call): Promise<MessageInitShape<typeof ListSessionsResponseSchema>> {
  const { clientId, id: userId } = requireUser(principal);
  const current = principal.credentialId;
  return { rows: await db.unitOfWork(clientId, (uow) => openSessions(uow, { userId, now, current })) };
}
