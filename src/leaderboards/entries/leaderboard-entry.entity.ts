import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** SQL of whether an entry is on the board. */
export const IS_LISTED = 'is_member and is_ranked';

/** SQL of the contrary. */
export const IS_UNLISTED = '(is_member and is_ranked) is not true';

/** The value of an account in a run. Written under the lock of its account, and never after the run is final. */
export const leaderboardEntryTable = defineEntity({
  name: 'LeaderboardEntryEntity',
  tableName: 'leaderboard_entry',
  ...ownedByClient,
  indexes: [
    {
      name: 'leaderboard_entry_rank',
      properties: ['clientId', 'runId', 'score', 'reachedAt', 'accountId'],
      where: IS_LISTED,
    },
    // Few: for the removal of a whole run.
    {
      name: 'leaderboard_entry_unlisted',
      properties: ['clientId', 'runId', 'accountId'],
      where: IS_UNLISTED,
    },
  ],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    statisticId: columns.reference().primary(),
    period: p.integer().primary(),
    runId: columns.reference().primary(),
    /** The value in ten-thousandths, negated if the highest is the best: lower is better. Null without a value. */
    score: columns.wide().nullable(),
    /** The time at which the value was reached. */
    reachedAt: columns.moment(),
    /** Whether the account was in the audiences at its last event; null if no event has said. */
    isMember: p.boolean().nullable(),
    /** Whether it has a value that ranks, and is not hidden. */
    isRanked: p.boolean(),
    /** The score with which it was listed before its last change; null if it was not. */
    previousScore: columns.wide().nullable(),
  },
});

export class LeaderboardEntryEntity extends leaderboardEntryTable.class {}
leaderboardEntryTable.setClass(LeaderboardEntryEntity);
