import { defineEntity, p } from '@mikro-orm/core';
import { AGGREGATIONS } from '../../engine/statistics/statistic-value.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The value of a statistic for an account in a period. A row appears with the first event and is written under the lock of its account. */
export const accountStatisticTable = defineEntity({
  name: 'AccountStatisticEntity',
  tableName: 'account_statistic',
  ...ownedByClient,
  indexes: [
    // For expressions over all accounts, and for periods that are over. Values are in no index, so that a change writes the row only.
    { name: 'account_statistic_period', properties: ['clientId', 'statisticId', 'period', 'accountId'] },
  ],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    statisticId: columns.reference().primary(),
    /** The number of the period in the statistic's unit; 0 for all time. */
    period: p.integer().primary(),
    /** That of the definition, so that a change of the row needs no other row. */
    aggregation: columns.oneOf(AGGREGATIONS),
    value: columns.amount(),
    /** The time at which the event of a LAST value occurred. */
    lastAt: columns.moment().nullable(),
    /** The part of an added value that no event brought: the differences of corrections. */
    corrected: columns.amount().default('0'),
    /**
     * For MAX, LAST, POINTS and past events: the value of all events that cannot be taken back any more, or of MAX and LAST a correction; null
     * without one.
     */
    base: columns.amount().nullable(),
    /** The time of `base` for LAST. */
    baseAt: columns.moment().nullable(),
  },
});

export class AccountStatisticEntity extends accountStatisticTable.class {}
accountStatisticTable.setClass(AccountStatisticEntity);
