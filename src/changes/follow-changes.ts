import type { MessageInitShape } from '@bufbuild/protobuf';
import type { FollowChangesRequest, FollowChangesResponseSchema } from '../../gen/laurel/v1/change_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { placeOf } from './cursor.ts';
import type { FeedEnds } from './feed-ends.ts';
import { listChanges } from './list-changes.ts';

/** Milliseconds after which a message without changes shows that the stream lives. */
const HEARTBEAT_MS = 15_000;

/** Milliseconds after which a stream ends, because a credential is checked when it begins. */
const OPEN_FOR_MS = 60_000;

/** Changes in one message. */
const LIMIT = 100;

/** Returns the changes behind a cursor as they come: proto ChangeService.FollowChanges. */
export async function* followChanges(
  call: Call,
  { after, kinds }: FollowChangesRequest,
  ends: FeedEnds,
): AsyncIterable<MessageInitShape<typeof FollowChangesResponseSchema>> {
  const { principal, context } = call;
  const until = performance.now() + OPEN_FOR_MS;
  for (let next = after; ;) {
    const { rows, nextAfter, hasMore } = await listChanges(call, { after: next, kinds, limit: LIMIT });
    // Also without changes: it is the first message, or the heartbeat.
    yield { rows, nextAfter };
    next = nextAfter;
    const leftMs = until - performance.now();
    if (leftMs <= 0) return;
    if (hasMore) continue;
    const { number } = placeOf(nextAfter);
    const wait = { withinMs: Math.min(HEARTBEAT_MS, leftMs), gone: context.signal };
    if (!(await ends.beyond(principal.clientId, number, wait))) return;
  }
}
