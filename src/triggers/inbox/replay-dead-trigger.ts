import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  DeadTriggerAdminService,
  type ReplayDeadTriggerRequest,
  type ReplayDeadTriggerResponseSchema,
} from '../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import { DeadTriggerSchema } from '../../../gen/laurel/admin/v1/dead_trigger_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { requeueTriggers } from './inbox.queries.ts';
import { findDeadTrigger } from './list-dead-triggers.ts';

/** Puts a dead trigger back in the queue; it is applied after the answer: proto DeadTriggerAdminService.ReplayDeadTrigger. */
export async function replayDeadTrigger(
  { db, principal }: Call,
  { id }: ReplayDeadTriggerRequest,
): Promise<MessageInitShape<typeof ReplayDeadTriggerResponseSchema>> {
  await db.unitOfWork(principal.clientId, async (uow) => {
    const before = await findDeadTrigger(uow, id);
    const revived = await requeueTriggers(uow, [id]);
    if (!before || revived.length === 0) throw deadTriggerNotFound(id);
    const operation = DeadTriggerAdminService.method.replayDeadTrigger;
    await recordChange(uow, principal, { operation, schema: DeadTriggerSchema, id: before.id, before });
  });
  return {};
}

/** The 404 for an id without a dead trigger. */
export function deadTriggerNotFound(id: string): DomainError {
  return new DomainError(
    'DEAD_TRIGGER_NOT_FOUND',
    sentence`There is no dead trigger ${id}. It may have been replayed or discarded.`,
  );
}
