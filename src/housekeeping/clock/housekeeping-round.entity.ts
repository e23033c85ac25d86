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
    /** When some process last looked at the clock and trusted it, by that clock. */
    lastRoundAt: columns.moment(),
    /** How often an operator has said that the clock is right. A number, because a moment would be of that clock. */
    confirmations: p.integer().default(0),
    /** Milliseconds of running for which a doubt from before the start has lasted, and when some were added last. */
    waitedMs: columns.count().default(0),
    waitedAt: columns.moment().nullable(),
    /** Why a process does not trust the clock, since when, and when it last said so; null where all do. */
    doubt: columns.text().nullable(),
    doubtSince: columns.moment().nullable(),
    doubtSeenAt: columns.moment().nullable(),
  },
});

export class HousekeepingRoundEntity extends housekeepingRoundTable.class {}
housekeepingRoundTable.setClass(HousekeepingRoundEntity);
