import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * The event of a journal entry, or the earned reward, that moved a statistic, as long as it can be taken back. MAX, LAST and POINTS have a row
 * for each; COUNT, SUM and DAYS only for past events.
 */
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
    /** The journal's batch with the entry of the event, or the earned reward. Its time is that of the application, or of the delivery. */
    batchId: columns.reference().primary(),
    /** The index of the entry in its batch; 0 for an earned reward. */
    entry: p.integer().primary(),
    statisticId: columns.reference().primary(),
    accountId: columns.reference(),
    period: p.integer(),
    /** The amount; for a past event of DAYS the number of its day. */
    value: columns.amount(),
    occurredAt: columns.moment(),
  },
});

export class AccountStatisticEventEntity extends accountStatisticEventTable.class {}
accountStatisticEventTable.setClass(AccountStatisticEventEntity);
