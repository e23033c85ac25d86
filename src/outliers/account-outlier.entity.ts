import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import { MEASURES } from './outlier-rule.ts';

/** An account that was far above the usual, by its latest such hour. The row goes a day after the hour. */
export const accountOutlierTable = defineEntity({
  name: 'AccountOutlierEntity',
  tableName: 'account_outlier',
  ...ownedByClient,
  indexes: [{ name: 'account_outlier_latest', properties: ['clientId', 'hour'] }],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    measure: columns.oneOf(MEASURES).primary(),
    /** The beginning of the hour, of UTC. */
    hour: columns.moment(),
    /** The events or points of the account in the hour, and the median of the accounts that had any. */
    observed: columns.amount(),
    usual: columns.amount(),
  },
});

export class AccountOutlierEntity extends accountOutlierTable.class {}
accountOutlierTable.setClass(AccountOutlierEntity);
