import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** When a run of an account is reviewed next, for the warning that it is at risk. Written under the lock of its account. */
export const streakRiskTable = defineEntity({
  name: 'StreakRiskEntity',
  tableName: 'streak_risk',
  ...ownedByClient,
  // The reviews that are due.
  indexes: [{ name: 'streak_risk_next', properties: ['clientId', 'nextAt', 'accountId', 'missionId'] }],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    missionId: columns.reference().primary(),
    nextAt: columns.moment(),
    /** The number of the latest period for which the account was warned; null for none. */
    warnedPeriod: p.integer().nullable(),
  },
});

export class StreakRiskEntity extends streakRiskTable.class {}
streakRiskTable.setClass(StreakRiskEntity);
