import { defineEntity, p } from '@mikro-orm/core';
import { BOARD_ORDERS } from '../../engine/leaderboards/board-plan.ts';
import type { Leagues } from '../../engine/leaderboards/leagues.ts';
import type { Prize } from '../../engine/leaderboards/prizes.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The states of a leaderboard. */
export const LEADERBOARD_STATUSES = ['DRAFT', 'ACTIVE', 'ENDED'] as const;

/** A leaderboard over the values of a statistic. */
export const leaderboardTable = defineEntity({
  name: 'LeaderboardEntity',
  tableName: 'leaderboard',
  ...ownedByClient,
  indexes: [
    {
      name: 'leaderboard_filling',
      properties: ['clientId', 'id'],
      where: 'fill_pass is not null',
    },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    description: columns.text().default(''),
    status: columns.oneOf(LEADERBOARD_STATUSES),
    /** The code of the statistic, which cannot be deleted meanwhile. */
    statisticCode: columns.byteExactText(),
    /** The audiences whose accounts are ranked; empty for everyone. */
    audienceIds: columns.references(),
    rankOrder: columns.oneOf(BOARD_ORDERS),
    entriesShown: p.integer(),
    /** A declared attribute of accounts. */
    displayNameAttribute: columns.text().nullable(),
    lateHours: p.integer(),
    prizes: p.json<readonly Prize[]>(),
    /** Null without leagues. */
    leagues: p.json<Leagues>().nullable(),
    activatedAt: columns.moment().nullable(),
    endedAt: columns.moment().nullable(),
    /** The pass over the values from before the activation, 1 or 2; null when both are done. */
    fillPass: p.integer().nullable(),
    /** The account after which the pass continues; null at its beginning. */
    fillAfter: columns.reference().nullable(),
    /** The earliest time of the next step. */
    fillDueAt: columns.moment().nullable(),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class LeaderboardEntity extends leaderboardTable.class {}
leaderboardTable.setClass(LeaderboardEntity);
