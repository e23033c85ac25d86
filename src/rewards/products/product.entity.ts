import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** Something accounts can get units of. */
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
     * Units left: the number of free codes of a CODES product, the count of a COUNTED one, 0 for UNLIMITED. Changes only
     * under this row's lock, together with the codes.
     */
    stock: p.integer().default(0),
    /** Units of publications, of those left: the sum of their stocks, 0 for UNLIMITED. Changes under the same lock. */
    allocated: p.integer().default(0),
    /** Units ever added, so that what is left can be recomputed from what was handed out. */
    unitsAdded: columns.count().default(0),
    /** Earned rewards that wait for stock, under the same lock. */
    waiting: p.integer().default(0),
    /** Pieces that combine into one unit. */
    fragmentsRequired: p.integer().nullable(),
    /** Points for one unit; without it the product is not sold for points. */
    pointsCost: columns.amount().nullable(),
    /** The stock-low webhook is sent when fewer units are left; null where it is not. */
    lowStockThreshold: p.integer().nullable(),
    /** Raised by every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
    /** When it was archived; null while it is in use. Named as logical deletion is, because lists treat it so. */
    deletedAt: columns.moment().nullable(),
  },
});

export class ProductEntity extends productTable.class {}
productTable.setClass(ProductEntity);
