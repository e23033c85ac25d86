import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../../persistence/connections/columns.ts';

/** One unit of a product with unique codes. */
export const productCodeTable = defineEntity({
  name: 'ProductCodeEntity',
  tableName: 'product_code',
  ...ownedByClient,
  uniques: [{ name: 'product_code_unique', properties: ['clientId', 'productId', 'code'] }],
  indexes: [
    // The index has free codes only, so that a million redeemed ones do not slow the search.
    { name: 'product_code_free', properties: ['clientId', 'productId', 'id'], where: 'redemption_id is null' },
    { name: 'product_code_redemption', properties: ['clientId', 'redemptionId'], where: 'redemption_id is not null' },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    productId: columns.reference(),
    itemId: columns.reference(),
    code: columns.byteExactText(),
    /** The redemption; null while the code is free. */
    redemptionId: columns.reference().nullable(),
    redeemedAt: columns.moment().nullable(),
    createdAt: columns.createdAt(),
  },
});

export class ProductCodeEntity extends productCodeTable.class {}
productCodeTable.setClass(ProductCodeEntity);
