import type { MessageInitShape } from '@bufbuild/protobuf';
import type { WatchAccountRequest, WatchAccountResponseSchema } from '../../../gen/laurel/v1/change_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { cursorOf } from '../cursor.ts';
import type { AccountStreams } from './account-streams.ts';

/** Returns the changes of an account as they come: proto ChangeService.WatchAccount. */
export async function* watchAccount(
  call: Call,
  request: WatchAccountRequest,
  streams: AccountStreams,
): AsyncIterable<MessageInitShape<typeof WatchAccountResponseSchema>> {
  const { listener, leave } = await streams.open(call, request);
  try {
    const { accountId, hasProgress, place: start } = listener;
    yield { opened: { accountId, progress: hasProgress }, nextAfter: cursorOf(start) };
    for await (const { place, ...told } of listener.told()) yield { ...told, nextAfter: cursorOf(place) };
  } finally {
    leave();
  }
}
