import { keptRows, unitedRows } from '../persistence/subjects/merged-rows.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { accountStatisticDayTable } from './values/account-statistic-day.entity.ts';
import { accountStatisticEventTable } from './values/account-statistic-event.entity.ts';
import { accountStatisticMissionTable } from './values/account-statistic-mission.entity.ts';
import { accountStatisticTable } from './values/account-statistic.entity.ts';
import { giveStatisticEvents } from './values/statistic-events.queries.ts';
import { recountDays } from './values/statistic-days.queries.ts';

const ANONYMOUS = { kind: 'stays', why: 'Numbers under an id that names nobody any more.' } as const;

/** The last of both values, or of both bases; of two at one moment, that of the account that stays. */
const lastOf = (value: string, at: string) =>
  `case when t.${at} is null or excluded.${at} > t.${at} then coalesce(excluded.${value}, t.${value}) else t.${value} end`;

const events = keptRows(accountStatisticEventTable);

const values = unitedRows(accountStatisticTable, {
  key: ['statisticId', 'period'],
  onBoth: `value = case when t.aggregation = 'MAX' then greatest(t.value, excluded.value)
                        when t.aggregation = 'LAST' then ${lastOf('value', 'last_at')}
                        else t.value + excluded.value end,
           base = case when t.aggregation = 'LAST' then ${lastOf('base', 'base_at')}
                       when t.aggregation in ('COUNT', 'SUM') then coalesce(t.base + excluded.base, t.base, excluded.base)
                       else greatest(t.base, excluded.base) end,
           last_at = greatest(t.last_at, excluded.last_at), base_at = greatest(t.base_at, excluded.base_at),
           corrected = t.corrected + excluded.corrected`,
  changedBy: 'an event',
});

/** This module's data about an account. Values come after the days by which those of DAYS are counted. */
export const statisticParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'statisticDays',
    table: accountStatisticDayTable,
    order: ['statisticId', 'period', 'day'],
    erasure: ANONYMOUS,
    merging: unitedRows(accountStatisticDayTable, {
      key: ['statisticId', 'period', 'day'],
      onBoth: 'events = t.events + excluded.events',
    }),
  }),
  rowsOfAccount({
    name: 'statisticMissions',
    table: accountStatisticMissionTable,
    order: ['statisticId', 'missionId', 'periodKey', 'period'],
    erasure: ANONYMOUS,
    merging: unitedRows(accountStatisticMissionTable, {
      key: ['statisticId', 'missionId', 'periodKey', 'period'],
      onBoth: 'rounds = t.rounds + excluded.rounds',
    }),
  }),
  rowsOfAccount({
    name: 'statisticEvents',
    table: accountStatisticEventTable,
    order: ['statisticId', 'period', 'occurredAt', 'batchId', 'entry'],
    erasure: ANONYMOUS,
    merging: {
      ...events,
      async join(uow, pair) {
        const kept = await events.join(uow, pair);
        await giveStatisticEvents(uow, pair);
        return kept;
      },
    },
  }),
  rowsOfAccount({
    name: 'statistics',
    table: accountStatisticTable,
    order: ['statisticId', 'period'],
    erasure: ANONYMOUS,
    merging: {
      ...values,
      async join(uow, pair) {
        const kept = await values.join(uow, pair);
        await recountDays(uow, pair.into);
        return kept;
      },
    },
  }),
];
