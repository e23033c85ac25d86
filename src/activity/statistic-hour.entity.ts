import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** The counts of one client in one hour, added up by all processes. */
export const statisticHourTable = defineEntity({
  name: 'StatisticHourEntity',
  tableName: 'statistic_hour',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    /** The beginning of an hour of UTC. */
    hour: columns.moment().primary(),
    /** Applied events; repeats are not counted. */
    eventsApplied: p.integer().default(0),
    missionsCompleted: p.integer().default(0),
    campaignsCompleted: p.integer().default(0),
    rewardsDelivered: p.integer().default(0),
    /** Webhooks with a 2xx answer, and webhooks without one. */
    webhooksDelivered: p.integer().default(0),
    webhooksFailed: p.integer().default(0),
    /** Refused and failed calls, except those of people. */
    callsRefused: p.integer().default(0),
  },
});

export class StatisticHourEntity extends statisticHourTable.class {}
statisticHourTable.setClass(StatisticHourEntity);
