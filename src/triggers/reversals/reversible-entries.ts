import type { JournalQuery } from '../../journal/journal-batches.ts';
import { EFFECTS_WITHOUT_EVENT, type JournalEntryRow } from '../../journal/journal-row.ts';
import { journalEntriesOf } from '../../journal/read-journal.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { reversedAmounts } from './reversed-amounts.queries.ts';
import { amountOfEvent } from './reverse-event.ts';

/** Entries that are read at once. */
const PAGE = 200;

/** The span of events of an account, and of those that were merged into it; `from` is inclusive, `until` exclusive. */
export type Span = { readonly accountIds: readonly string[] } & Pick<
  JournalQuery,
  'programmaticCode' | 'from' | 'until'
>;

/**
 * The latest applied events of a span of which something is left, at most `limit`. The caller has locked the account.
 * @returns `more` if the span has others
 */
export async function reversibleEntries(
  uow: UnitOfWork,
  { accountIds, ...span }: Span,
  limit: number,
): Promise<{ readonly entries: JournalEntryRow[]; readonly more: boolean }> {
  const entries: JournalEntryRow[] = [];
  let after: JournalQuery['after'];
  while (entries.length <= limit) {
    const page = await journalEntriesOf(uow, accountIds, { ...span, after }, PAGE);
    const applied = page.filter(({ effect }) => !EFFECTS_WITHOUT_EVENT.includes(effect));
    const reversed = await reversedAmounts(
      uow,
      applied.map(({ id }) => id),
    );
    entries.push(...applied.filter(({ id, details }) => amountOfEvent(details ?? {}) > (reversed.get(id) ?? 0n)));
    after = page.at(-1);
    if (page.length < PAGE) break;
  }
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}
