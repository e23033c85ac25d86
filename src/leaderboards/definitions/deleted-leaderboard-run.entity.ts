import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A run of a deleted leaderboard, or that leaderboard itself, whose rows housekeeping removes. */
export const deletedLeaderboardRunTable = defineEntity({
  name: 'DeletedLeaderboardRunEntity',
  tableName: 'deleted_leaderboard_run',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    runId: columns.reference().primary(),
    deletedAt: columns.moment(),
  },
});

export class DeletedLeaderboardRunEntity extends deletedLeaderboardRunTable.class {}
deletedLeaderboardRunTable.setClass(DeletedLeaderboardRunEntity);
