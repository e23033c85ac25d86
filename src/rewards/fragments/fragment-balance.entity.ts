import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** Pieces of a product that an account holds, fewer than combine into a unit. Changes under the account's lock. */
export const fragmentBalanceTable = defineEntity({
  name: 'FragmentBalanceEntity',
  tableName: 'fragment_balance',
  ...ownedByClient,
  checks: [{ name: 'fragment_balance_not_negative', expression: 'pieces >= 0' }],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    productId: columns.reference().primary(),
    pieces: p.integer(),
  },
});

export class FragmentBalanceEntity extends fragmentBalanceTable.class {}
fragmentBalanceTable.setClass(FragmentBalanceEntity);
