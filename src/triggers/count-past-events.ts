import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import { accountsToChange } from '../accounts/accounts-of-batch.ts';
import { judgedAccount } from '../campaigns/assignments/account-contexts.ts';
import type { Catalogs, ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { judgedAgain } from '../campaigns/expressions/kept-event.ts';
import { statisticEffects, type StatisticPlan } from '../engine/statistics/statistic-plan.ts';
import { aggregations } from '../engine/statistics/statistic-value.ts';
import type { JournalEntryRow } from '../journal/journal-row.ts';
import { nextEvents } from '../journal/read-journal.ts';
import { keptEvent } from '../journal/recent-events.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { NIL_UUID } from '../kernel/ids.ts';
import { fillAgain } from '../leaderboards/definitions/leaderboards.queries.ts';
import { rankChanged } from '../leaderboards/entries/rank-accounts.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import {
  continuePast,
  endPass,
  lockPastStatistic,
  type PastStatistic,
  startOfPass,
} from '../statistics/definitions/past-events.queries.ts';
import { countPast } from '../statistics/values/move-statistics.ts';
import type { PastEvent } from '../statistics/values/statistic-events.queries.ts';
import { reversedAmounts } from './reversals/reversed-amounts.queries.ts';

/** Entries in one transaction, after which no further batch is read: few, so that events of their accounts wait only for a moment. */
const ENTRIES = 500;

/**
 * Housekeeping: counts for new statistics the events that the journal had at their creation, in small transactions, so that it may be stopped
 * at any point. A second pass finds events of transactions that were in progress then and did not know the statistic.
 * @returns the number of counted events
 */
export async function countPastEvents(db: Database, clientId: string, now: Date, catalogs: Catalogs): Promise<number> {
  for (let total = 0; ;) {
    const counted = await db.unitOfWork(clientId, (uow) => countNext(uow, now, catalogs));
    if (counted === undefined) return total;
    total += counted;
  }
}

/** Counts the next events of a statistic; undefined if none is due. */
async function countNext(uow: UnitOfWork, now: Date, catalogs: Catalogs): Promise<number | undefined> {
  const statistic = await lockPastStatistic(uow, now);
  if (statistic === undefined) return undefined;
  const { id, programmaticCode, fillUntil: until, fillAfterAt, fillAfterId } = statistic;
  const after = { recordedAt: fillAfterAt ?? startOfPass(statistic), id: fillAfterId ?? NIL_UUID };
  const { events, last } = await nextEvents(uow, { programmaticCode, after, until }, ENTRIES);
  if (last === undefined) return endOf(uow, statistic, now);
  const catalog = await catalogs(uow);
  const plan = catalog.statistics.byId.get(id);
  const counted = plan === undefined ? [] : await count(uow, catalog, plan, events);
  await Promise.all([rankChanged(uow, counted, now), continuePast(uow, id, last)]);
  return counted.length;
}

/** Ends a pass. After the last one, the accounts enter the leaderboards over the statistic. */
async function endOf(uow: UnitOfWork, statistic: PastStatistic, now: Date): Promise<number> {
  if (await endPass(uow, statistic, now)) await fillAgain(uow, statistic.code, now);
  return 0;
}

async function count(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  plan: StatisticPlan,
  events: readonly JournalEntryRow[],
): Promise<readonly PastEvent[]> {
  // An event that knew the statistic has said in its entry whether it counted, or did not fulfil the condition.
  const past = events.filter(({ details }) => !(details?.statistics ?? []).some(([id]) => id === plan.id));
  const accounts = await accountsToChange(
    uow,
    past.map(({ accountId }) => ({ accountId: accountId!, idType: Account_IdType.INTERNAL })),
    undefined,
  );
  // Read under the locks: a reversal that comes later finds what was counted.
  const reversed = await reversedAmounts(
    uow,
    past.map(({ id }) => id),
  );
  return countPast(
    uow,
    past.flatMap((entry, index): PastEvent[] => {
      const account = accounts[index]!;
      // The account was deleted.
      if (account instanceof DomainError) return [];
      if (isWithoutAmount(catalog, plan, entry)) return [];
      const event = judgedAgain(keptEvent(entry), catalog.events.get(entry.programmaticCode)?.attributes ?? []);
      const left = event.amount - (reversed.get(entry.id) ?? 0n);
      if (left === 0n) return [];
      return statisticEffects([plan], judgedAccount(catalog, account, {}), event).map((effect) => ({
        ...effect,
        amount: aggregations[plan.aggregation].needsAmounts ? left : effect.amount,
        accountId: account.id,
        entryId: entry.id,
      }));
    }),
  );
}

/** Whether an event lacks the amount that a statistic needs: releases up to 0.2.0 did not store it. */
function isWithoutAmount(
  { events }: ClientCatalog,
  { aggregation, condition }: StatisticPlan,
  { programmaticCode, details }: JournalEntryRow,
): boolean {
  if (details?.amount !== undefined || events.get(programmaticCode)?.type !== 'AMOUNT') return false;
  return aggregations[aggregation].needsAmounts || condition?.names.has('event.amount') === true;
}
