import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  PublicationAdminService,
  type WithdrawPublicationStockRequest,
  type WithdrawPublicationStockResponseSchema,
} from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { PublicationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { availableIn, type SellableStock } from '../sellable-stock.ts';
import { returnUnits } from './return-units.ts';
import { toPublicationMessage } from './publication.ts';
import { readPublication, removePublicationUnits } from './publications.queries.ts';

/**
 * Returns unreserved units of a publication to its product: proto PublicationAdminService.WithdrawPublicationStock. They count as never
 * added, so that the stock can still be recomputed.
 */
export async function withdrawPublicationStock(
  call: Call,
  { id, quantity }: WithdrawPublicationStockRequest,
  dispatcher: Pick<Dispatcher, 'wake'>,
): Promise<MessageInitShape<typeof WithdrawPublicationStockResponseSchema>> {
  const { principal, now } = call;
  return returnUnits(call, id, dispatcher, async (uow, sellable) => {
    requireUnreserved(sellable, quantity);
    const before = toPublicationMessage(await readPublication(uow, sellable.publication.id, now));
    await removePublicationUnits(uow, sellable.publication.id, quantity, now);
    const after = toPublicationMessage(await readPublication(uow, sellable.publication.id, now));
    await recordChange(uow, principal, {
      operation: PublicationAdminService.method.withdrawPublicationStock,
      schema: PublicationSchema,
      id: sellable.publication.id,
      before,
      after,
      note: String(sentence`${quantity} units withdrawn.`),
    });
    return { units: quantity, answer: { publication: after } };
  });
}

/** The agreement's stock does not matter: only the publication's own units are withdrawn. */
function requireUnreserved({ name, own }: SellableStock, quantity: number): void {
  const most = availableIn(own);
  if (quantity <= most) return;
  const held = own.reserved === 0 ? '' : sentence`, and accounts hold ${own.reserved} back`;
  const message = sentence`The publication '${name}' has ${own.stock} units${held}. Send a \`quantity\` of ${most} at most.`;
  throw new DomainError('OUT_OF_STOCK', message);
}
