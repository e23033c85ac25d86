import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ReplayDeadTriggerRequest,
  ReplayDeadTriggerResponseSchema,
} from '../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import type { Principal } from '../../clients/principal.ts';
import { type DomainError, notFound } from '../../kernel/domain-error.ts';
import type { Database } from '../../persistence/database.ts';
import { reviveTriggers } from './inbox.queries.ts';

/** Lets a dead letter wait again, to be applied after the answer: proto DeadTriggerAdminService.ReplayDeadTrigger. */
export async function replayDeadTrigger(
  db: Database,
  principal: Principal,
  { id }: ReplayDeadTriggerRequest,
): Promise<MessageInitShape<typeof ReplayDeadTriggerResponseSchema>> {
  const revived = await db.unitOfWork(principal.clientId, (uow) => reviveTriggers(uow, [id]));
  if (revived.length === 0) throw deadTriggerNotFound(id);
  return {};
}

/** The 404 of an id that names no dead letter. */
export function deadTriggerNotFound(id: string): DomainError {
  return notFound('DEAD_TRIGGER', `There is no dead letter ${id}. It may have been replayed or discarded.`);
}
