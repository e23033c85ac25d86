import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The events of a day for a statistic of DAYS, which counts the days that have one. */
export const accountStatisticDayTable = defineEntity({
  name: 'AccountStatisticDayEntity',
  tableName: 'account_statistic_day',
  ...ownedByClient,
  indexes: [
    { name: 'account_statistic_day_period', properties: ['clientId', 'statisticId', 'period', 'accountId', 'day'] },
  ],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    statisticId: columns.reference().primary(),
    /** The period of the value; a change of the zone may divide a day between two. */
    period: p.integer().primary(),
    /** The number of the day, from 1970-01-01. */
    day: p.integer().primary(),
    /** 0 if all events of the day were taken back. */
    events: p.integer(),
  },
});

export class AccountStatisticDayEntity extends accountStatisticDayTable.class {}
accountStatisticDayTable.setClass(AccountStatisticDayEntity);
