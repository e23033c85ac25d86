import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** An account that is on no leaderboard, because it or support hid it. */
export const hiddenAccountTable = defineEntity({
  name: 'HiddenAccountEntity',
  tableName: 'hidden_account',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    hiddenAt: columns.moment(),
  },
});

export class HiddenAccountEntity extends hiddenAccountTable.class {}
hiddenAccountTable.setClass(HiddenAccountEntity);
