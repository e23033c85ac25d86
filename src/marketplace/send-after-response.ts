import type { Call } from '../clients/call.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';

/** Has committed webhooks sent once this call has been answered. */
export function sendAfterResponse(
  call: Call,
  dispatcher: Pick<Dispatcher, 'wake'>,
  messageIds: readonly string[],
): void {
  if (messageIds.length === 0) return;
  const { clientId } = call.principal;
  call.afterResponse(() => dispatcher.wake(clientId, messageIds));
}
