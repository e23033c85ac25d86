import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  DiscardDeadTriggerRequest,
  DiscardDeadTriggerResponseSchema,
} from '../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Database } from '../../persistence/database.ts';
import { deleteDeadTrigger } from './inbox.queries.ts';
import { deadTriggerNotFound } from './replay-dead-trigger.ts';

/** Deletes a dead letter for good: proto DeadTriggerAdminService.DiscardDeadTrigger. */
export async function discardDeadTrigger(
  db: Database,
  principal: Principal,
  { id }: DiscardDeadTriggerRequest,
): Promise<MessageInitShape<typeof DiscardDeadTriggerResponseSchema>> {
  if (!(await db.unitOfWork(principal.clientId, (uow) => deleteDeadTrigger(uow, id)))) throw deadTriggerNotFound(id);
  return {};
}
