import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  PublicationAdminService,
  type AddPublicationStockRequest,
  type AddPublicationStockResponseSchema,
} from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { PublicationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { requireProduct } from '../../rewards/products/products.queries.ts';
import { allocate } from '../../rewards/products/stock/stock.ts';
import { lockStocks, saveStocks } from '../../rewards/products/stock/stock.queries.ts';
import { toPublicationMessage } from './publication.ts';
import { addPublicationUnits, readPublication, requirePublicationKeys } from './publications.queries.ts';
import { stockTooLarge } from '../stock-limit.ts';
import { sentence } from '../../kernel/sentence.ts';

/** Adds free units of its product to a publication: proto PublicationAdminService.AddPublicationStock. */
export function addPublicationStock(
  { db, principal, now }: Call,
  { id, quantity }: AddPublicationStockRequest,
): Promise<MessageInitShape<typeof AddPublicationStockResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const product = await requireProduct(uow, (await requirePublicationKeys(uow, id)).productId);
    const stocks = await lockStocks(uow, [product]);
    const before = toPublicationMessage(await readPublication(uow, id, now));
    allocate(stocks.get(product.id)!, quantity, '`quantity`');
    await saveStocks(uow, stocks.values(), now);
    if (!(await addPublicationUnits(uow, id, quantity, now))) throw stockTooLarge(sentence`A publication`);
    const after = toPublicationMessage(await readPublication(uow, id, now));
    await recordChange(uow, principal, {
      operation: PublicationAdminService.method.addPublicationStock,
      schema: PublicationSchema,
      id: after.id,
      before,
      after,
      note: String(sentence`${quantity} units added.`),
    });
    return { publication: after };
  });
}
