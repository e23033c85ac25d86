import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * The changes of listed scores by one transaction, which the ranges do not count yet. Transactions append such rows, so that no two of them
 * wait for a counter; one row for all changes, because a row for each took as long as the entry itself.
 */
export const leaderboardDeltaTable = defineEntity({
  name: 'LeaderboardDeltaEntity',
  tableName: 'leaderboard_delta',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    runId: columns.reference().primary(),
    id: columns.id(),
    /** One for each change; null for an entry that was not listed. */
    scoresBefore: columns.wides(),
    /** At the same places; null for an entry that is not listed any more. */
    scoresAfter: columns.wides(),
  },
});

export class LeaderboardDeltaEntity extends leaderboardDeltaTable.class {}
leaderboardDeltaTable.setClass(LeaderboardDeltaEntity);
