import type { MessageInitShape } from '@bufbuild/protobuf';
import { Change_KindSchema } from '../../gen/laurel/v1/change_pb.ts';
import type { ListChangesRequest, ListChangesResponseSchema } from '../../gen/laurel/v1/change_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { inTimeSlices, type Steps } from '../kernel/concurrency/time-slices.ts';
import { toChangeMessage } from './change-message.ts';
import { cursorOf } from './cursor.ts';
import { type NumberedChange, readChanges } from './read-changes.ts';

/** The default limit of changes. */
const DEFAULT_LIMIT = 100;

/** Returns the changes behind a cursor: proto ChangeService.ListChanges. */
export async function listChanges(
  { db, principal }: Call,
  { after, limit = DEFAULT_LIMIT, kinds }: ListChangesRequest,
): Promise<MessageInitShape<typeof ListChangesResponseSchema>> {
  const names = new Set(kinds.map((kind) => Change_KindSchema.value[kind]!.name));
  const found = await db.unitOfWork(principal.clientId, (uow) => readChanges(uow, { after, limit, kinds: names }));
  return {
    rows: await inTimeSlices(messagesOf(found.changes)),
    nextAfter: cursorOf(found.next),
    hasMore: found.hasMore,
  };
}

function* messagesOf(changes: readonly NumberedChange[]): Steps<ReturnType<typeof toChangeMessage>[]> {
  const messages: ReturnType<typeof toChangeMessage>[] = [];
  for (const change of changes) {
    messages.push(toChangeMessage(change));
    yield;
  }
  return messages;
}
