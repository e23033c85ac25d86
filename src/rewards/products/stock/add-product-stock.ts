import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ProductAdminService,
  type AddProductStockRequest,
  type AddProductStockResponseSchema,
} from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ProductSchema } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { recordChange } from '../../../audit/record-change.ts';
import type { Call } from '../../../clients/call.ts';
import { badRequest } from '../../../kernel/errors/domain-error.ts';
import { sentence } from '../../../kernel/sentence.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { readProduct } from '../get-product.ts';
import { productInMode } from '../products.queries.ts';
import type { ProductStock } from './stock.ts';
import { restock } from '../../delivery/restock.ts';

/** The maximum of units of one product; PostgreSQL's `integer` holds a little more. */
const STOCK_MAX = 2_000_000_000;

/** Adds units, then delivers pending rewards: proto ProductAdminService.AddProductStock. */
export async function addProductStock(
  { db, principal, now }: Call,
  { id, quantity, reason }: AddProductStockRequest,
): Promise<MessageInitShape<typeof AddProductStockResponseSchema>> {
  const { clientId } = principal;
  const { product, before } = await db.unitOfWork(clientId, async (uow) => ({
    product: await productInMode(uow, id, 'COUNTED'),
    before: await readProduct(uow, id),
  }));
  const addUnits = async (_: unknown, { units }: ProductStock) => {
    if (units + quantity <= STOCK_MAX) return quantity;
    throw badRequest(
      sentence`A product holds ${STOCK_MAX} units at most and this one has ${units}. Send a smaller \`quantity\`.`,
    );
  };
  const record = async (uow: UnitOfWork) =>
    recordChange(uow, principal, {
      operation: ProductAdminService.method.addProductStock,
      schema: ProductSchema,
      id: product.id,
      before,
      after: await readProduct(uow, product.id),
      note: String(reason === '' ? sentence`${quantity} units added.` : sentence`${quantity} units added: ${reason}`),
    });
  const delivered = await restock(db, clientId, product, addUnits, now, record);
  return { delivered, product: await db.unitOfWork(clientId, (uow) => readProduct(uow, product.id)) };
}
