import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { PART_PAGE } from '../persistence/subjects/account-part.ts';
import { journalBatchTable } from './journal-batch.entity.ts';
import { eraseJournal } from './journal.queries.ts';
import { journalEntries } from './read-journal.ts';

/** What this module keeps about an account: what became of its events, the latest first. */
export const journalParts: readonly AccountPart[] = [
  {
    ...{ name: 'journal', table: journalBatchTable.meta.tableName! },
    async page(uow, { accountId }, after) {
      const [ms, id] = after === undefined ? [] : (JSON.parse(after) as [number, string]);
      const place = ms === undefined || id === undefined ? undefined : { recordedAt: new Date(ms), id };
      const rows = await journalEntries(uow, { accountId, after: place }, PART_PAGE);
      const last = rows.length === PART_PAGE ? rows.at(-1) : undefined;
      return {
        rows: rows.map(({ accountId: _, details, recordedAt, occurredAt, ...row }) => ({
          ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
          ...{ recordedAt: recordedAt.toISOString(), occurredAt: occurredAt.toISOString() },
          ...(details && { details: JSON.parse(JSON.stringify(details)) }),
        })),
        next: last && JSON.stringify([last.recordedAt.getTime(), last.id]),
      };
    },
    erasure: {
      kind: 'swept',
      sweep: async (uow, accountId) => ((await eraseJournal(uow, accountId)) ? 'more' : undefined),
    },
  },
];
