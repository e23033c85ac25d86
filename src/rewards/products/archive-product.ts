import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ArchiveProductRequest,
  type ArchiveProductResponseSchema,
  ProductAdminService,
} from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ProductSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { bumpCatalogVersion, holdCatalog } from '../../clients/catalog-version.ts';
import type { Principal } from '../../clients/principal.ts';
import { requireUnused } from '../../kernel/in-use.ts';
import type { Database } from '../../persistence/database.ts';
import type { UsesAbove } from '../definitions/archive-reward.ts';
import { readProduct } from './get-product.ts';
import { requireProductDetails } from './products.queries.ts';
import { usesOfProduct } from '../definitions/uses.queries.ts';

/** Archives a product that nothing gives or sells any more: proto ProductAdminService.ArchiveProduct. */
export function archiveProduct(
  db: Database,
  principal: Principal,
  { id }: ArchiveProductRequest,
  now: Date,
  usesAbove: UsesAbove,
): Promise<MessageInitShape<typeof ArchiveProductResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    await holdCatalog(uow);
    const product = await requireProductDetails(uow, id);
    const before = await readProduct(uow, product.id);
    if (product.deleted_at) return { product: before };
    const uses = [...(await usesOfProduct(uow, product.id)), ...(await usesAbove(uow, product.id, now))];
    requireUnused(
      'PRODUCT',
      uses,
      'Archive the rewards, unpublish the publications and restock for those who wait first.',
    );
    await uow.query(
      `update product set deleted_at = $3, version = version + 1, updated_at = $3 where client_id = $1 and id = $2`,
      [uow.clientId, product.id, now],
    );
    await bumpCatalogVersion(uow);
    const after = await readProduct(uow, product.id);
    const operation = ProductAdminService.method.archiveProduct;
    await recordChange(uow, principal, { operation, schema: ProductSchema, id: product.id, before, after });
    return { product: after };
  });
}
