import type { HandlerContext } from '@connectrpc/connect';
import { principalOf } from '../clients/principal.ts';
import { enqueuedIn } from '../webhooks/enqueue-webhooks.ts';
import { changeStatus, type StatusMove } from './change-status.ts';
import type { MarketplaceOptions } from './marketplace-options.ts';
import { publicationInit } from './publication.ts';
import { readPublication, requirePlace } from './publications.queries.ts';
import { sendAfterResponse } from './send-after-response.ts';
import type { Shelf } from './shelf.ts';
import { lockShelf } from './shelf.queries.ts';

/**
 * Moves a publication by hand; nothing happens, and nobody is told, if it is in that state already.
 * @param requireAllowed refuses, by throwing, what may not move
 * @throws DomainError `PUBLICATION_NOT_FOUND`
 */
export async function movePublication(
  { db, clock, dispatcher }: MarketplaceOptions,
  context: HandlerContext,
  { id, move }: { readonly id: string; readonly move: StatusMove },
  requireAllowed: (shelf: Shelf) => void = () => {},
) {
  const now = clock();
  let messageIds: readonly string[] = [];
  const publication = await db.unitOfWork(principalOf(context).clientId, async (uow) => {
    const shelf = await lockShelf(uow, await requirePlace(uow, id), now);
    if (shelf.status !== move.status) {
      requireAllowed(shelf);
      await changeStatus(uow, [shelf.place.id], move, now);
    }
    messageIds = enqueuedIn(uow);
    return readPublication(uow, id, now);
  });
  sendAfterResponse(dispatcher, context, messageIds);
  return { publication: publicationInit(publication) };
}
