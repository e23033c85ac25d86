import type { Call } from '../clients/call.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import type { EnqueuedMessage } from '../webhooks/outbox/enqueue.queries.ts';

/** Sends committed webhooks after the answer of this call. */
export function sendAfterResponse(
  call: Call,
  dispatcher: Pick<Dispatcher, 'wake'>,
  messages: readonly EnqueuedMessage[],
): void {
  if (messages.length === 0) return;
  const { clientId } = call.principal;
  call.afterResponse(() => dispatcher.wake(clientId, messages));
}
