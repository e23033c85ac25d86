import type { DescMethod } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { PublicationSchema } from '../../gen/laurel/v1/marketplace_pb.ts';
import { recordChange } from '../audit/record-change.ts';
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
  { id, move, operation }: { readonly id: string; readonly move: StatusMove; readonly operation: DescMethod },
  requireAllowed: (shelf: Shelf) => void = () => {},
) {
  const now = clock();
  let messageIds: readonly string[] = [];
  const principal = principalOf(context);
  const publication = await db.unitOfWork(principal.clientId, async (uow) => {
    const shelf = await lockShelf(uow, await requirePlace(uow, id), now);
    const before = publicationInit(await readPublication(uow, id, now));
    if (shelf.status === move.status) return before;
    requireAllowed(shelf);
    await changeStatus(uow, [shelf.place.id], move, now);
    messageIds = enqueuedIn(uow);
    const after = publicationInit(await readPublication(uow, id, now));
    await recordChange(uow, principal, { operation, schema: PublicationSchema, id: shelf.place.id, before, after });
    return after;
  });
  sendAfterResponse(dispatcher, context, messageIds);
  return { publication };
}
