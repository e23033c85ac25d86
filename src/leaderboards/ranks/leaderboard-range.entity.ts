import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The number of listed entries of a run whose scores are from `lower` to the next range, without the deltas that are not folded. */
export const leaderboardRangeTable = defineEntity({
  name: 'LeaderboardRangeEntity',
  tableName: 'leaderboard_range',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    runId: columns.reference().primary(),
    lower: columns.wide().primary(),
    entries: p.integer(),
  },
});

export class LeaderboardRangeEntity extends leaderboardRangeTable.class {}
leaderboardRangeTable.setClass(LeaderboardRangeEntity);
