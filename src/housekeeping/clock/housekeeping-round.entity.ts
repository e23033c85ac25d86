import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * The state of the clock between runs of the scheduled jobs: one row, which belongs to no client and has the nil UUID
 * as its client (docs/decisions/0087).
 */
export const housekeepingRoundTable = defineEntity({
  name: 'HousekeepingRoundEntity',
  tableName: 'housekeeping_round',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    /** The last trusted reading of the clock by any process, in that clock's time. */
    lastRoundAt: columns.moment(),
    /** The number of confirmations of the clock by operators. It is not a time, because a time would come from that clock. */
    confirmations: p.integer().default(0),
    /** Milliseconds of running for which a doubt from before the start has lasted, and the time of their last increase. */
    waitedMs: columns.count().default(0),
    waitedAt: columns.moment().nullable(),
    /** The reason of a process for distrusting the clock, the start of the doubt, and its last report; null if all processes trust it. */
    doubt: columns.text().nullable(),
    doubtSince: columns.moment().nullable(),
    doubtSeenAt: columns.moment().nullable(),
  },
});

export class HousekeepingRoundEntity extends housekeepingRoundTable.class {}
housekeepingRoundTable.setClass(HousekeepingRoundEntity);
