import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The league of an account for its next group. An account without a row is in the lowest one. */
export const leaderboardStandingTable = defineEntity({
  name: 'LeaderboardStandingEntity',
  tableName: 'leaderboard_standing',
  ...ownedByClient,
  indexes: [
    // For the removal of a leaderboard.
    { name: 'leaderboard_standing_board', properties: ['clientId', 'leaderboardId', 'accountId'] },
  ],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    leaderboardId: columns.reference().primary(),
    league: p.integer(),
  },
});

export class LeaderboardStandingEntity extends leaderboardStandingTable.class {}
leaderboardStandingTable.setClass(LeaderboardStandingEntity);
