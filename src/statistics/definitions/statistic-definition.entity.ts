import { defineEntity, p } from '@mikro-orm/core';
import { AGGREGATIONS, STATISTIC_SOURCES } from '../../engine/statistics/statistic-value.ts';
import { STATISTIC_PERIODS } from '../../engine/statistics/statistic-period.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A number per account that events move. Only its name and description ever change. */
export const statisticDefinitionTable = defineEntity({
  name: 'StatisticDefinitionEntity',
  tableName: 'statistic_definition',
  ...ownedByClient,
  uniques: [{ name: 'statistic_definition_code_unique', properties: ['clientId', 'code'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    code: columns.byteExactText(),
    name: columns.text(),
    description: columns.text().default(''),
    source: columns.oneOf(STATISTIC_SOURCES),
    /** The code of the events that it counts; null for another source. */
    programmaticCode: columns.byteExactText().nullable(),
    aggregation: columns.oneOf(AGGREGATIONS),
    period: columns.oneOf(STATISTIC_PERIODS),
    /** The expression that its events fulfil. */
    condition: columns.text().nullable(),
    /** Whether it also counts the events that the journal had at its creation. */
    countsPastEvents: p.boolean().default(false),
    /** The time of the journal's oldest entry at its creation; null if it counts from its creation on. */
    countedSince: columns.moment().nullable(),
    /** The pass over the journal, 1 or 2; null when both are done. */
    fillPass: p.integer().nullable(),
    /** The end of both passes, by the clock of the database; null when both are done. */
    fillUntil: columns.moment().nullable(),
    /** The time of the batch after which the pass continues; null before the first one. */
    fillAfterAt: columns.moment().nullable(),
    /** The id of that batch. */
    fillAfterId: columns.reference().nullable(),
    /** The earliest time of the next step. */
    fillDueAt: columns.moment().nullable(),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class StatisticDefinitionEntity extends statisticDefinitionTable.class {}
statisticDefinitionTable.setClass(StatisticDefinitionEntity);
