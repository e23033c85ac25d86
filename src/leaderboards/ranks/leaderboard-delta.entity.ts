import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A change of a listed score that the ranges do not count yet. Events append such rows, so that no two of them wait for a counter. */
export const leaderboardDeltaTable = defineEntity({
  name: 'LeaderboardDeltaEntity',
  tableName: 'leaderboard_delta',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    runId: columns.reference().primary(),
    id: columns.id(),
    /** Null for an entry that was not listed. */
    scoreBefore: columns.wide().nullable(),
    /** Null for an entry that is not listed any more. */
    scoreAfter: columns.wide().nullable(),
  },
});

export class LeaderboardDeltaEntity extends leaderboardDeltaTable.class {}
leaderboardDeltaTable.setClass(LeaderboardDeltaEntity);
