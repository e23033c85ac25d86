import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The completions of a mission, or of a period of a ROUTINE, that a statistic of MISSIONS counts in a period. */
export const accountStatisticMissionTable = defineEntity({
  name: 'AccountStatisticMissionEntity',
  tableName: 'account_statistic_mission',
  ...ownedByClient,
  indexes: [
    // For the removal of a statistic.
    {
      name: 'account_statistic_mission_period',
      properties: ['clientId', 'statisticId', 'period', 'accountId', 'missionId', 'periodKey'],
    },
  ],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    statisticId: columns.reference().primary(),
    missionId: columns.reference().primary(),
    /** The calendar period of a ROUTINE; empty for the others. */
    periodKey: columns.byteExactText().primary().default(''),
    /** The period of the value. */
    period: p.integer().primary(),
    /** 0 if all completions were taken back. */
    rounds: p.integer(),
  },
});

export class AccountStatisticMissionEntity extends accountStatisticMissionTable.class {}
accountStatisticMissionTable.setClass(AccountStatisticMissionEntity);
