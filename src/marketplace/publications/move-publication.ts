import type { DescMethod } from '@bufbuild/protobuf';
import { PublicationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import type { EnqueuedMessage } from '../../webhooks/outbox/enqueue.queries.ts';
import { enqueuedIn } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { changeStatus, type StatusMove } from './change-status.ts';
import { toPublicationMessage } from './publication.ts';
import { readPublication, requirePublicationKeys } from './publications.queries.ts';
import { sendAfterResponse } from '../send-after-response.ts';
import type { SellableStock } from '../sellable-stock.ts';
import { lockSellableStock } from '../sellable-stock.queries.ts';

/**
 * Changes the state of a publication by hand. A publication in that state stays unchanged and causes no webhook.
 * @param requireAllowed throws if the move is not allowed
 * @throws DomainError `PUBLICATION_NOT_FOUND`
 */
export async function movePublication(
  call: Call,
  { id, move, operation }: { readonly id: string; readonly move: StatusMove; readonly operation: DescMethod },
  dispatcher: Pick<Dispatcher, 'wake'>,
  requireAllowed: (sellable: SellableStock) => void = () => {},
) {
  const { db, principal, now } = call;
  let messages: readonly EnqueuedMessage[] = [];
  const publication = await db.unitOfWork(principal.clientId, async (uow) => {
    const sellable = await lockSellableStock(uow, await requirePublicationKeys(uow, id), now);
    const before = toPublicationMessage(await readPublication(uow, id, now));
    if (sellable.status === move.status) return before;
    requireAllowed(sellable);
    await changeStatus(uow, [sellable.publication.id], move, now);
    messages = enqueuedIn(uow);
    const after = toPublicationMessage(await readPublication(uow, id, now));
    await recordChange(uow, principal, {
      operation,
      schema: PublicationSchema,
      id: sellable.publication.id,
      before,
      after,
    });
    return after;
  });
  sendAfterResponse(call, dispatcher, messages);
  return { publication };
}
