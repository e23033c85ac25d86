import type { HandlerContext } from '@connectrpc/connect';
import { principalOf } from '../clients/principal.ts';
import { afterResponse } from '../kernel/after-response.ts';
import type { MarketplaceOptions } from './marketplace-options.ts';

/** Has committed webhooks sent once this call has been answered. */
export function sendAfterResponse(
  dispatcher: MarketplaceOptions['dispatcher'],
  context: HandlerContext,
  messageIds: readonly string[],
): void {
  if (messageIds.length === 0) return;
  const { clientId } = principalOf(context);
  afterResponse(context, () => dispatcher.wake(clientId, messageIds));
}
