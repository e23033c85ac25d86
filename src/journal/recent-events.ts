import { JournalEntry_Effect as Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import type { RecentEvent, WantedEvents } from '../campaigns/expressions/count-events.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { journalEntries, latestFirst } from './read-journal.ts';
import type { JournalEntryRow } from './journal-row.ts';

/** The latest events of some codes that were applied, the latest first: see `RecentEvents`. */
export async function recentEvents(
  uow: UnitOfWork,
  { codes, eventsMax, isOver }: WantedEvents,
): Promise<RecentEvent[]> {
  const rows: JournalEntryRow[] = [];
  for (const programmaticCode of codes)
    rows.push(...(await journalEntries(uow, { programmaticCode }, eventsMax, isOver)));
  return rows
    .filter(({ effect }) => effect !== Effect.DEAD && effect !== Effect.REVERSED)
    .toSorted(latestFirst)
    .slice(0, eventsMax)
    .map(({ accountId, programmaticCode, occurredAt, details }) => ({
      ...{ accountId, programmaticCode, occurredAt },
      attributes: details?.attributes,
      amount: details?.amount,
    }));
}
