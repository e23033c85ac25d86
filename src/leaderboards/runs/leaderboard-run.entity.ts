import { defineEntity, p } from '@mikro-orm/core';
import type { Leagues } from '../../engine/leaderboards/leagues.ts';
import type { Prize } from '../../engine/leaderboards/prizes.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The states of a run. */
export const RUN_STATUSES = ['OPEN', 'CLOSING', 'CLOSED', 'CANCELLED'] as const;

/**
 * The ranking of one period of a leaderboard. Writers of entries hold a `for key share` lock on it, and the close that makes its ranks final a `for
 * update` lock: so no entry changes afterwards.
 */
export const leaderboardRunTable = defineEntity({
  name: 'LeaderboardRunEntity',
  tableName: 'leaderboard_run',
  ...ownedByClient,
  uniques: [{ name: 'leaderboard_run_period', properties: ['clientId', 'leaderboardId', 'period'] }],
  indexes: [
    // The runs to close, and those whose prizes are being delivered.
    { name: 'leaderboard_run_due', properties: ['clientId', 'dueAt', 'id'], where: 'due_at is not null' },
    // The open runs of a period that every account may enter, for changes that are no events.
    {
      name: 'leaderboard_run_for_everyone',
      properties: ['clientId', 'statisticId', 'period', 'id'],
      where: "status = 'OPEN' and is_for_everyone",
    },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    leaderboardId: columns.reference(),
    statisticId: columns.reference(),
    /** The number of the period in the statistic's unit; 0 for all time. */
    period: p.integer(),
    /** The bounds of the period; null for all time. */
    since: columns.moment().nullable(),
    until: columns.moment().nullable(),
    /** The time from which on nothing changes the run; null for all time, until somebody closes it. */
    closesAt: columns.moment().nullable(),
    /** The time of the next step of the close; null for none. */
    dueAt: columns.moment().nullable(),
    status: columns.oneOf(RUN_STATUSES),
    /** Whether its leaderboard has no audiences; they are fixed before it begins. */
    isForEveryone: p.boolean().default(false),
    closedAt: columns.moment().nullable(),
    cancelReason: columns.text().nullable(),
    /** The number of entries of a run that is not open any more. */
    entries: p.integer().nullable(),
    /** Its prizes, from the time at which its ranks are final. */
    prizes: p.json<readonly Prize[]>().nullable(),
    /** The last place whose prizes are decided: its score, time and account, its rank and its position. */
    paidScore: columns.wide().nullable(),
    paidReachedAt: columns.moment().nullable(),
    paidAccountId: columns.reference().nullable(),
    paidRank: p.integer().default(0),
    paidPosition: p.integer().default(0),
    prizesDelivered: p.integer().default(0),
    /** Whether ranges count its entries. A small run has none. */
    hasRanges: p.boolean().default(false),
    /** The entries that appeared, for the decision to make ranges. */
    arrivals: p.integer().default(0),
    /** The leagues of its leaderboard; null without. */
    leagues: p.json<Leagues>().nullable(),
    /** The places that were given in the groups of each league, the lowest league first. */
    places: p.json<readonly number[]>().default([]),
    /** The last group whose outcomes are decided. */
    settledLeague: p.integer().default(0),
    settledGroup: p.integer().default(0),
    promoted: p.integer().default(0),
    relegated: p.integer().default(0),
    createdAt: columns.createdAt(),
  },
});

export class LeaderboardRunEntity extends leaderboardRunTable.class {}
leaderboardRunTable.setClass(LeaderboardRunEntity);
