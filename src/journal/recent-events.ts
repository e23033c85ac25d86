import type { RecentEvent, WantedEvents } from '../campaigns/expressions/count-events.ts';
import type { KeptEvent } from '../campaigns/expressions/kept-event.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { journalEntries, latestFirst } from './read-journal.ts';
import { EFFECTS_WITHOUT_EVENT, type JournalEntryRow } from './journal-row.ts';

/** The latest events of some codes that were applied, the latest first: see `RecentEvents`. */
export async function recentEvents(
  uow: UnitOfWork,
  { codes, eventsMax, isOver }: WantedEvents,
): Promise<RecentEvent[]> {
  const rows: JournalEntryRow[] = [];
  for (const programmaticCode of codes)
    rows.push(...(await journalEntries(uow, { programmaticCode }, eventsMax, isOver)));
  return rows
    .filter(({ effect }) => !EFFECTS_WITHOUT_EVENT.includes(effect))
    .toSorted(latestFirst)
    .slice(0, eventsMax)
    .map((entry) => ({ ...keptEvent(entry), accountId: entry.accountId }));
}

/** The event of an entry. */
export function keptEvent({ programmaticCode, occurredAt, details }: JournalEntryRow): KeptEvent {
  return { programmaticCode, occurredAt, attributes: details?.attributes, amount: details?.amount };
}
