import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { journalEntryTable } from './journal-entry.entity.ts';
import { eraseJournal } from './journal.queries.ts';

/** What this module keeps about an account: what became of its events. */
export const journalParts: readonly AccountPart[] = [
  rowsOfAccount({
    ...{ name: 'journal', table: journalEntryTable, order: ['recordedAt', 'id'] },
    erasure: { kind: 'atOnce', erase: (uow, { accountId }) => eraseJournal(uow, accountId) },
  }),
];
