import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The event of a journal entry for a statistic of MAX or LAST, as long as it can be taken back. */
export const accountStatisticEventTable = defineEntity({
  name: 'AccountStatisticEventEntity',
  tableName: 'account_statistic_event',
  ...ownedByClient,
  indexes: [
    // For the value that is left after a reversal.
    {
      name: 'account_statistic_event_value',
      properties: ['clientId', 'accountId', 'statisticId', 'period', 'occurredAt', 'batchId', 'entry'],
    },
  ],
  properties: {
    clientId: columns.clientId(),
    /** The journal's batch with the entry of the event. Its time is that of the application. */
    batchId: columns.reference().primary(),
    /** The index of the entry in its batch. */
    entry: p.integer().primary(),
    statisticId: columns.reference().primary(),
    accountId: columns.reference(),
    period: p.integer(),
    value: columns.amount(),
    occurredAt: columns.moment(),
  },
});

export class AccountStatisticEventEntity extends accountStatisticEventTable.class {}
accountStatisticEventTable.setClass(AccountStatisticEventEntity);
