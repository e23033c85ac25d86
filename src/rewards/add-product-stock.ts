import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AddProductStockRequest,
  AddProductStockResponseSchema,
} from '../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { Principal } from '../clients/principal.ts';
import { badRequest } from '../kernel/domain-error.ts';
import type { Database } from '../persistence/database.ts';
import { readProduct } from './get-product.ts';
import { productInMode } from './products.queries.ts';
import { restock } from './restock.ts';

/** Units of one product at most; PostgreSQL's `integer` holds a little more. */
const STOCK_MAX = 2_000_000_000;

/** Adds units, then serves those who wait: proto ProductAdminService.AddProductStock. */
export async function addProductStock(
  db: Database,
  { clientId }: Principal,
  { id, quantity }: AddProductStockRequest,
  now: Date,
): Promise<MessageInitShape<typeof AddProductStockResponseSchema>> {
  const product = await db.unitOfWork(clientId, (uow) => productInMode(uow, id, 'COUNTED'));
  const addUnits = async (_: unknown, stock: number) => {
    if (stock + quantity <= STOCK_MAX) return quantity;
    throw badRequest(
      `A product holds ${STOCK_MAX} units at most and this one has ${stock}. Send a smaller \`quantity\`.`,
    );
  };
  const delivered = await restock(db, clientId, product, addUnits, now);
  return { delivered, product: await db.unitOfWork(clientId, (uow) => readProduct(uow, product.id)) };
}
