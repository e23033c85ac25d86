import { defineEntity, p } from '@mikro-orm/core';
import { LEAGUE_OUTCOMES } from '../../engine/leaderboards/leagues.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The group of an account in a run with leagues. Its league is null while the account waits for a group. */
export const leaderboardPlaceTable = defineEntity({
  name: 'LeaderboardPlaceEntity',
  tableName: 'leaderboard_place',
  ...ownedByClient,
  indexes: [
    { name: 'leaderboard_place_group', properties: ['clientId', 'runId', 'league', 'groupNumber', 'accountId'] },
    { name: 'leaderboard_place_waiting', properties: ['clientId', 'runId', 'accountId'], where: 'league is null' },
    // For the account's timeline.
    {
      name: 'leaderboard_place_settled',
      properties: ['clientId', 'accountId', 'settledAt', 'runId'],
      where: 'settled_at is not null',
    },
  ],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    runId: columns.reference().primary(),
    league: p.integer().nullable(),
    /** From 1, within the league and the run. */
    groupNumber: p.integer().nullable(),
    /** The effect of the close on the league; null before, and for an account without a rank. */
    outcome: columns.oneOf(LEAGUE_OUTCOMES).nullable(),
    /** The final rank within the group, with the outcome. */
    finalRank: p.integer().nullable(),
    /** The time of the outcome. */
    settledAt: columns.moment().nullable(),
  },
});

export class LeaderboardPlaceEntity extends leaderboardPlaceTable.class {}
leaderboardPlaceTable.setClass(LeaderboardPlaceEntity);
