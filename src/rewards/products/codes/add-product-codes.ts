import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ProductAdminService,
  type AddProductCodesRequest,
  type AddProductCodesResponseSchema,
} from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ProductSchema } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { checkedText } from '../../../kernel/text.ts';
import { recordChange } from '../../../audit/record-change.ts';
import type { Call } from '../../../clients/call.ts';
import { badRequest } from '../../../kernel/errors/domain-error.ts';
import { sentence } from '../../../kernel/sentence.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { readProduct } from '../get-product.ts';
import { itemsOf, productInMode } from '../products.queries.ts';
import { restock } from '../../delivery/restock.ts';
import { insertCodes } from '../stock/stock.queries.ts';

/** Adds codes, then delivers pending rewards: proto ProductAdminService.AddProductCodes. */
export async function addProductCodes(
  { db, principal, now }: Call,
  request: AddProductCodesRequest,
): Promise<MessageInitShape<typeof AddProductCodesResponseSchema>> {
  const codes = request.codes.map((code) => checkedText(code, 'A code'));
  const { clientId } = principal;
  const { product, itemId, before } = await db.unitOfWork(clientId, async (uow) => ({
    product: await productInMode(uow, request.id, 'CODES'),
    itemId: await itemOf(uow, request),
    before: await readProduct(uow, request.id),
  }));
  let added = 0;
  const addCodes = async (uow: UnitOfWork) => (added = await insertCodes(uow, { product, itemId, codes, now }));
  const record = async (uow: UnitOfWork) => {
    if (added === 0) return;
    await recordChange(uow, principal, {
      operation: ProductAdminService.method.addProductCodes,
      schema: ProductSchema,
      id: product.id,
      before,
      after: await readProduct(uow, product.id),
      note: String(sentence`${added} codes added.`),
    });
  };
  const delivered = await restock(db, clientId, product, addCodes, now, record);
  return { added, delivered, product: await db.unitOfWork(clientId, (uow) => readProduct(uow, product.id)) };
}

async function itemOf(uow: UnitOfWork, { id: productId, itemId }: AddProductCodesRequest): Promise<string> {
  const items = (await itemsOf(uow, [productId])).get(productId) ?? [];
  const [first] = items;
  if (itemId === undefined && first !== undefined) return first.id;
  const named = items.find((item) => item.id === itemId?.toLowerCase());
  if (named !== undefined) return named.id;
  const known = items.map(({ id, name }) => sentence`${id} (${name})`);
  throw badRequest(
    sentence`The product has no item ${itemId ?? ''}. Send one of its items, or leave \`itemId\` out: ${known}.`,
  );
}
