import type { PublicationStatusChangeJson } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lockRowsSql, lookUpByKey } from '../../persistence/key-lookup.ts';
import { after } from '../../persistence/moments.ts';
import { enqueueWebhooks } from '../../webhooks/outbox/enqueue-webhooks.ts';
import type { PauseReason, PublicationStatus } from './publication.ts';

/** A move of a publication to another state. */
export type StatusMove = { readonly status: PublicationStatus; readonly pauseReason: PauseReason };

/** The publications and agreements that purchases have sold out. */
export type SoldOut = {
  /** Publications whose own stock ran out. */
  readonly publicationIds: readonly string[];
  /** Agreements that ran out, whose published publications are paused with them. */
  readonly agreementIds: readonly string[];
};

/**
 * Pauses sold-out publications in the transaction of the purchases. If both a publication and its agreement ran out, the reason is the
 * publication: see docs/decisions/0020. The caller has locked and saved their sellable stocks.
 */
export async function pauseSoldOut(
  uow: UnitOfWork,
  { publicationIds, agreementIds }: SoldOut,
  now: Date,
): Promise<void> {
  await changeStatus(uow, publicationIds, { status: 'DRAFT', pauseReason: 'PUBLICATION_OUT_OF_STOCK' }, now);
  if (agreementIds.length === 0) return;
  const ids = await publishedIdsOf(uow, agreementIds);
  await changeStatus(uow, ids, { status: 'DRAFT', pauseReason: 'AGREEMENT_OUT_OF_STOCK' }, now);
}

/**
 * Moves publications that are in another state, and puts one webhook for each into the outbox, with the available units in the new state.
 * For a draft these are its own units. The caller has locked their sellable stock. The changes of a publication are in order and at least a
 * millisecond apart, even if the clocks of the processes differ, because receivers order and deduplicate by the moment.
 */
export async function changeStatus(
  uow: UnitOfWork,
  ids: readonly string[],
  { status, pauseReason }: StatusMove,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  const held = uow.query(lockRowsSql('publication'), [uow.clientId, ids.toSorted()]);
  const moved = uow.query<Changed>(
    `update publication p
        set status = $3, pause_reason = $4, updated_at = $5,
            status_changed_at = greatest($5, ${after('status_changed_at', `interval '1 millisecond'`)})
       from ${lockedRows({
         source: 'unnest($2::uuid[]) as c(id)',
         alias: 'c',
         table: 'publication',
         key: { id: 'c.id' },
       })} where p.client_id = $1 and p.ctid = c.row_ctid
      returning p.id, product_id, status_changed_at, least(
        stock - reserved,
        case when $3 = 'PUBLISHED_ON_MARKETPLACE' then (
          select a.available from ${lookUpByKey({
            select: 'stock - reserved as available',
            from: 'agreement',
            key: { id: 'p.agreement_id' },
          })} a
        ) end
      ) as available_stock`,
    [uow.clientId, ids, status, pauseReason, now],
  );
  const [, changed] = await Promise.all([held, moved]);
  await enqueueWebhooks(
    uow,
    changed.map((row) => ({
      kind: 'PUBLICATION_STATUS_CHANGED',
      json: JSON.stringify({
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

/** The published publications of locked agreements. The lock keeps their state. */
async function publishedIdsOf(uow: UnitOfWork, agreementIds: readonly string[]): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `select p.id from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: 'id',
      from: 'publication',
      key: { agreement_id: 'wanted.id' },
      many: true,
      and: `status = 'PUBLISHED_ON_MARKETPLACE'`,
    })} p`,
    [uow.clientId, agreementIds],
  );
  return rows.map(({ id }) => id);
}
