import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ArchiveProductRequest,
  type ArchiveProductResponseSchema,
  ProductAdminService,
} from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ProductSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { requireUnused } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import { readProduct } from './get-product.ts';
import { productEntity } from './products.queries.ts';
import { allUsesOfProduct, type UsesAbove } from '../definitions/uses.queries.ts';

/** Archives a product without uses: proto ProductAdminService.ArchiveProduct. */
export async function archiveProduct(
  { db, principal, now }: Call,
  { id, version }: ArchiveProductRequest,
  usesAbove: UsesAbove,
): Promise<MessageInitShape<typeof ArchiveProductResponseSchema>> {
  const change = { operation: ProductAdminService.method.archiveProduct, schema: ProductSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const product = await productEntity(uow, id);
    const before = await readProduct(uow, product.id);
    if (product.deletedAt) return { after: before, unchanged: true };
    await requireVersion(uow, ProductSchema, product, version);
    const uses = await allUsesOfProduct(uow, product.id, usesAbove, now);
    requireUnused(
      'PRODUCT_IN_USE',
      uses,
      sentence`Archive the rewards, unpublish the publications and restock for those who wait first.`,
    );
    uow.em.assign(product, { deletedAt: now, version: product.version + 1, updatedAt: now });
    await uow.em.flush();
    const after = await readProduct(uow, product.id);
    return { id: product.id, before, after };
  });
  return { product: after };
}
