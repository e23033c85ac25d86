import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type DeletePublicationRequest,
  type DeletePublicationResponseSchema,
  PublicationAdminService,
} from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { PublicationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { returnUnits } from './return-units.ts';
import { toPublicationMessage } from './publication.ts';
import { deletePublicationRow, readPublication, wasEverSold } from './publications.queries.ts';
import type { SellableStock } from '../sellable-stock.ts';
import { saveSellableStocks } from '../sellable-stock.queries.ts';

/** Removes a draft without sales or reservations, and returns its units to the product: proto PublicationAdminService.DeletePublication. */
export function deletePublication(
  call: Call,
  { id, version }: DeletePublicationRequest,
  dispatcher: Pick<Dispatcher, 'wake'>,
): Promise<MessageInitShape<typeof DeletePublicationResponseSchema>> {
  const { principal, now } = call;
  return returnUnits(call, id, dispatcher, async (uow, sellable) => {
    const publication = await readPublication(uow, sellable.publication.id, now);
    await requireVersion(uow, PublicationSchema, publication, version);
    requireUntouched(sellable, await wasEverSold(uow, sellable.publication.id));
    const before = toPublicationMessage(publication);
    await saveSellableStocks(uow, [sellable], now);
    await deletePublicationRow(uow, sellable.publication.id);
    const operation = PublicationAdminService.method.deletePublication;
    await recordChange(uow, principal, { operation, schema: PublicationSchema, id: sellable.publication.id, before });
    return { units: sellable.own.stock, answer: {} };
  });
}

function requireUntouched({ name, status, own }: SellableStock, isSold: boolean): void {
  if (status !== 'DRAFT')
    throw new DomainError('PUBLICATION_PUBLISHED', sentence`'${name}' is published. Unpublish it first.`);
  if (isSold)
    throw new DomainError(
      'PUBLICATION_SOLD',
      sentence`Units of '${name}' have been sold, and their receipts name it. Leave it a draft.`,
    );
  if (own.reserved > 0)
    throw new DomainError(
      'PUBLICATION_RESERVED',
      sentence`Accounts hold ${own.reserved} units of '${name}' back. Wait until they buy or give them back.`,
    );
}
