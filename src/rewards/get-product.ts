import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetProductRequest,
  GetProductResponseSchema,
} from '../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { Principal } from '../clients/principal.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { productInits } from './product-init.ts';
import { ProductEntity } from './product.entity.ts';
import { productNotFound } from './products.queries.ts';

/** Gives one product: proto ProductAdminService.GetProduct. */
export function getProduct(
  db: Database,
  principal: Principal,
  { id }: GetProductRequest,
): Promise<MessageInitShape<typeof GetProductResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({ product: await readProduct(uow, id) }));
}

/**
 * One product as the API shows it.
 * @throws DomainError `PRODUCT_NOT_FOUND`
 */
export async function readProduct(uow: UnitOfWork, id: string) {
  const product = await uow.em.findOne(ProductEntity, { clientId: uow.clientId, id }, { disableIdentityMap: true });
  if (product === null) throw productNotFound(id);
  const [init] = await productInits(uow, [product]);
  return init!;
}
