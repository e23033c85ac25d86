import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  DeadTriggerAdminService,
  type DiscardDeadTriggerRequest,
  type DiscardDeadTriggerResponseSchema,
} from '../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import { DeadTriggerSchema } from '../../../gen/laurel/admin/v1/dead_trigger_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { deleteDeadTrigger } from './inbox.queries.ts';
import { findDeadTrigger } from './list-dead-triggers.ts';
import { deadTriggerNotFound } from './replay-dead-trigger.ts';

/** Deletes a dead trigger for good: proto DeadTriggerAdminService.DiscardDeadTrigger. */
export async function discardDeadTrigger(
  { db, principal }: Call,
  { id }: DiscardDeadTriggerRequest,
): Promise<MessageInitShape<typeof DiscardDeadTriggerResponseSchema>> {
  await db.unitOfWork(principal.clientId, async (uow) => {
    const before = await findDeadTrigger(uow, id);
    if (!before || !(await deleteDeadTrigger(uow, id))) throw deadTriggerNotFound(id);
    const operation = DeadTriggerAdminService.method.discardDeadTrigger;
    await recordChange(uow, principal, { operation, schema: DeadTriggerSchema, id: before.id, before });
  });
  return {};
}
