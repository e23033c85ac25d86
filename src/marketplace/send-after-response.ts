import type { Call } from '../clients/call.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';

/** Sends committed webhooks after the answer of this call. */
export function sendAfterResponse(
  call: Call,
  dispatcher: Pick<Dispatcher, 'wake'>,
  messageIds: readonly string[],
): void {
  if (messageIds.length === 0) return;
  const { clientId } = call.principal;
  call.afterResponse(() => dispatcher.wake(clientId, messageIds));
}
