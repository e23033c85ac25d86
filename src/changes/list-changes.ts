import { type Change, Change_KindSchema } from '../../gen/laurel/v1/change_pb.ts';
import type { ListChangesRequest } from '../../gen/laurel/v1/change_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { inTimeSlices, type Steps } from '../kernel/concurrency/time-slices.ts';
import { toChangeMessage } from './change-message.ts';
import { cursorOf } from './cursor.ts';
import { type NumberedChange, readChanges } from './read-changes.ts';

/** The default limit of changes. */
const DEFAULT_LIMIT = 100;

/** The parts of the answer. */
type ListedChanges = { readonly rows: Change[]; readonly nextAfter: string; readonly hasMore: boolean };

/** Returns the changes behind a cursor: proto ChangeService.ListChanges. */
export async function listChanges(
  { db, principal }: Call,
  { after, limit = DEFAULT_LIMIT, kinds }: Pick<ListChangesRequest, 'after' | 'limit' | 'kinds'>,
): Promise<ListedChanges> {
  const names = new Set(kinds.map((kind) => Change_KindSchema.value[kind]!.name));
  const found = await db.unitOfWork(principal.clientId, (uow) => readChanges(uow, { after, limit, kinds: names }));
  return {
    rows: await inTimeSlices(messagesOf(found.changes)),
    nextAfter: cursorOf(found.next),
    hasMore: found.hasMore,
  };
}

function* messagesOf(changes: readonly NumberedChange[]): Steps<Change[]> {
  const messages: Change[] = [];
  for (const change of changes) {
    messages.push(toChangeMessage(change));
    yield;
  }
  return messages;
}
