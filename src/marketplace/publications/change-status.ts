import type { PublicationStatusChangeJson } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { heldRows, holdRows, probe } from '../../persistence/by-keys.ts';
import { enqueueWebhooks } from '../../webhooks/outbox/enqueue-webhooks.ts';
import type { PauseReason, PublicationStatus } from './publication.ts';
import { availableIn, type SellableStock } from '../sellable-stock.ts';

/** A move of a publication to another state. */
export type StatusMove = { readonly status: PublicationStatus; readonly pauseReason: PauseReason };

/**
 * Pauses what a purchase has sold out, in its transaction: the publication, and with its agreement every published one of
 * it. A publication that ran out by itself says so, even where its agreement did too: see docs/decisions/0020. The
 * sellable stock is locked and saved.
 */
export async function pauseSoldOut(
  uow: UnitOfWork,
  { place, status, own, shared }: SellableStock,
  now: Date,
): Promise<void> {
  if (status === 'PUBLISHED_ON_MARKETPLACE' && availableIn(own) === 0) {
    await changeStatus(uow, [place.id], { status: 'DRAFT', pauseReason: 'PUBLICATION_OUT_OF_STOCK' }, now);
  }
  if (place.agreementId !== undefined && shared !== undefined && availableIn(shared) === 0) {
    const ids = await publishedIdsOf(uow, place.agreementId);
    await changeStatus(uow, ids, { status: 'DRAFT', pauseReason: 'AGREEMENT_OUT_OF_STOCK' }, now);
  }
}

/**
 * Moves publications that are in another state, and puts one webhook for each into the outbox, with what is available in the
 * new state: of a draft its own units. The caller holds their sellable stock. A publication's changes are at least a
 * millisecond apart and in the order in which they happened, whatever the clocks of the processes say, because receivers
 * order and deduplicate by the moment.
 */
export async function changeStatus(
  uow: UnitOfWork,
  ids: readonly string[],
  { status, pauseReason }: StatusMove,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  const held = uow.query(holdRows('publication'), [uow.clientId, ids.toSorted()]);
  const moved = uow.query<Changed>(
    `update publication p
        set status = $3, pause_reason = $4, updated_at = $5,
            status_changed_at = greatest($5, status_changed_at + interval '1 millisecond')
       from ${heldRows({
         ...{ source: 'unnest($2::uuid[]) as c(id)', alias: 'c', table: 'publication', key: { id: 'c.id' } },
       })} where p.client_id = $1 and p.ctid = c.place
      returning p.id, product_id, status_changed_at, least(
        stock - reserved,
        case when $3 = 'PUBLISHED_ON_MARKETPLACE' then (
          select a.available from ${probe({
            ...{ select: 'stock - reserved as available', from: 'agreement', key: { id: 'p.agreement_id' } },
          })} a
        ) end
      ) as available_stock`,
    [uow.clientId, ids, status, pauseReason, now],
  );
  const [, changed] = await Promise.all([held, moved]);
  await enqueueWebhooks(
    uow,
    changed.map((row) => ({
      type: 'PUBLICATION_STATUS',
      body: JSON.stringify({
        publicationId: row.id,
        productId: row.product_id,
        clientId: uow.clientId,
        status,
        pauseReason,
        availableStock: row.available_stock,
        timestamp: row.status_changed_at.toISOString(),
      } satisfies PublicationStatusChangeJson),
    })),
  );
}

type Changed = { id: string; product_id: string; available_stock: number; status_changed_at: Date };

/** No publication of a locked agreement changes state meanwhile. */
async function publishedIdsOf(uow: UnitOfWork, agreementId: string): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `select id from publication where client_id = $1 and agreement_id = $2 and status = 'PUBLISHED_ON_MARKETPLACE'`,
    [uow.clientId, agreementId],
  );
  return rows.map(({ id }) => id);
}
