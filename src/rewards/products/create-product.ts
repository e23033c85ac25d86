import { enumToJson, type MessageInitShape } from '@bufbuild/protobuf';
import {
  ProductAdminService,
  type CreateProductRequest,
  type CreateProductResponseSchema,
} from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { Product_StockModeSchema, ProductSchema } from '../../../gen/laurel/admin/v1/product_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { type Amount, amountFromNumber } from '../../kernel/amount.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { addToFeed } from '../../changes/collect-changes.ts';
import { stockChanged } from './stock/stock-changed.ts';
import { sentence } from '../../kernel/sentence.ts';
import { readProduct } from './get-product.ts';
import { thresholdOf } from './stock/low-stock-threshold.ts';
import { ProductItemEntity } from './product-item.entity.ts';
import type { StockMode } from './product.ts';
import { ProductEntity } from './product.entity.ts';

/** Creates a product, without codes: proto ProductAdminService.CreateProduct. No reward refers to it yet, so no catalogue changes. */
export function createProduct(
  { db, principal }: Call,
  request: CreateProductRequest,
): Promise<MessageInitShape<typeof CreateProductResponseSchema>> {
  const draft = productOf(request);
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { clientId } = uow;
    const product = uow.em.create(ProductEntity, { clientId, id: newId(), ...draft });
    for (const name of itemNames(request, draft.stockMode)) {
      uow.em.create(ProductItemEntity, { clientId, id: newId(), productId: product.id, name });
    }
    await uow.em.flush();
    const { stock } = draft;
    if (stock > 0) addToFeed(uow, () => [stockChanged({ productId: product.id, change: stock, stock })]);
    const after = await readProduct(uow, product.id);
    const operation = ProductAdminService.method.createProduct;
    await recordChange(uow, principal, { operation, schema: ProductSchema, id: product.id, after });
    return { product: after };
  });
}

function productOf(request: CreateProductRequest) {
  const stockMode = enumToJson(Product_StockModeSchema, request.stockMode) as StockMode;
  refuseForeignFields(request, stockMode);
  return {
    stockMode,
    name: checkedText(request.name, '`name`'),
    description: checkedText(request.description, '`description`'),
    stock: request.stock ?? 0,
    unitsAdded: request.stock ?? 0,
    fragmentsRequired: request.fragmentsRequired ?? null,
    pointsCost: priceOf(request.pointsCost),
    lowStockThreshold: thresholdOf(request, stockMode),
  };
}

function refuseForeignFields({ stock, itemNames: names }: CreateProductRequest, stockMode: StockMode): void {
  if (stock !== undefined && stockMode !== 'COUNTED') {
    const instead = stockMode === 'CODES' ? sentence`Leave it out and add codes afterwards.` : sentence`Leave it out.`;
    throw badRequest(sentence`\`stock\` goes with the stockMode COUNTED only, this one is ${stockMode}. ${instead}`);
  }
  if (names.length > 0 && stockMode !== 'CODES') {
    throw badRequest(
      sentence`\`itemNames\` go with the stockMode CODES only, this one is ${stockMode}. Leave them out.`,
    );
  }
}

function priceOf(pointsCost: number | undefined): Amount | null {
  return pointsCost === undefined ? null : amountFromNumber(pointsCost, '`pointsCost`');
}

/** The names of the items. Codes always have an item: by default it has the name of the product. */
function itemNames({ name, itemNames: names }: CreateProductRequest, stockMode: StockMode): readonly string[] {
  if (stockMode !== 'CODES') return [];
  return names.length === 0 ? [name] : names.map((item) => checkedText(item, 'A name in `itemNames`'));
}
