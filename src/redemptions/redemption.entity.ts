import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import type { StoredRedeemable } from './redemption.ts';

/** Units of a product that an account took: a receipt, so it keeps the names of that day. */
export const redemptionTable = defineEntity({
  name: 'RedemptionEntity',
  tableName: 'redemption',
  ...ownedByClient,
  indexes: [
    { name: 'redemption_account', properties: ['clientId', 'accountId', 'id'] },
    // The redemptions of a product, latest first. Inserts go to the end of a product's part, because ids sort by time.
    { name: 'redemption_product', properties: ['clientId', 'productId', 'id'] },
  ],
  checks: [{ name: 'redemption_quantity_check', expression: 'quantity > 0' }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    accountId: columns.reference(),
    productId: columns.reference(),
    productName: columns.text(),
    source: columns.oneOf(['REWARD', 'FRAGMENTS', 'LOYALTY', 'MARKETPLACE']),
    /** The earned reward or publication behind it; null for source LOYALTY. */
    sourceId: columns.reference().nullable(),
    quantity: p.integer(),
    pointsSpent: columns.amount().default('0'),
    status: columns.oneOf(['COMPLETED', 'CANCELLED']),
    /** The codes; empty for a product without codes. */
    redeemables: p.json<readonly StoredRedeemable[]>().default([]),
    createdAt: columns.createdAt(),
  },
});

export class RedemptionEntity extends redemptionTable.class {}
redemptionTable.setClass(RedemptionEntity);
