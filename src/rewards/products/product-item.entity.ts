import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { ProductEntity } from './product.entity.ts';

/** An item of a product, for which codes are valid. */
export const productItemTable = defineEntity({
  name: 'ProductItemEntity',
  tableName: 'product_item',
  ...ownedByClient,
  indexes: [{ name: 'product_item_product', properties: ['clientId', 'productId'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    productId: columns.reference(),
    product: columns.parent(ProductEntity, 'product_id'),
    name: columns.text(),
  },
});

export class ProductItemEntity extends productItemTable.class {}
productItemTable.setClass(ProductItemEntity);
