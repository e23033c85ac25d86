import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A product, of which accounts get units. */
export const productTable = defineEntity({
  name: 'ProductEntity',
  tableName: 'product',
  ...ownedByClient,
  checks: [
    { name: 'product_stock_not_negative', expression: 'stock >= 0' },
    { name: 'product_waiting_not_negative', expression: 'waiting >= 0' },
    { name: 'product_allocated_check', expression: 'allocated between 0 and stock' },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    description: columns.text().default(''),
    stockMode: columns.oneOf(['CODES', 'COUNTED', 'UNLIMITED']),
    /**
     * Remaining units: the number of free codes of a CODES product, the count of a COUNTED one, 0 for UNLIMITED. Changes only under this
     * row's lock, together with the codes.
     */
    stock: p.integer().default(0),
    /** The part of `stock` that belongs to publications: the sum of their stocks, 0 for UNLIMITED. Changes under the same lock. */
    allocated: p.integer().default(0),
    /** The sum of added units, so that the stock can be recomputed from the delivered units. */
    unitsAdded: columns.count().default(0),
    /** The number of pending rewards, under the same lock. */
    waiting: p.integer().default(0),
    /** Pieces that combine into one unit; null without fragments. */
    fragmentsRequired: p.integer().nullable(),
    /** Points for one unit; null if the product is not sold for points. */
    pointsCost: columns.amount().nullable(),
    /** The stock-low webhook is sent below this number of units; null for no webhook. */
    lowStockThreshold: p.integer().nullable(),
    /** Each change raises it, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
    /** The time of archiving; null while it is in use. The name is that of logical deletion, because lists treat it the same. */
    deletedAt: columns.moment().nullable(),
  },
});

export class ProductEntity extends productTable.class {}
productTable.setClass(ProductEntity);
