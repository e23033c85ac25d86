import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** Points that were earned together and expire together. Spending draws lots in the order of expiry. */
export const pointLotTable = defineEntity({
  name: 'PointLotEntity',
  tableName: 'point_lot',
  ...ownedByClient,
  checks: [{ name: 'point_lot_remaining_check', expression: 'remaining between 0 and amount' }],
  indexes: [
    { name: 'point_lot_spendable', properties: ['clientId', 'accountId', 'expiresAt', 'id'], where: 'remaining > 0' },
    {
      name: 'point_lot_expiring',
      properties: ['clientId', 'expiresAt'],
      where: 'remaining > 0 and expires_at is not null',
    },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    accountId: columns.reference(),
    amount: columns.amount(),
    remaining: columns.amount(),
    /** Null means never. */
    expiresAt: columns.moment().nullable(),
    createdAt: columns.createdAt(),
  },
});

export class PointLotEntity extends pointLotTable.class {}
pointLotTable.setClass(PointLotEntity);
