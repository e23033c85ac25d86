import type { JsonObject } from '@bufbuild/protobuf';
import { type AccountPart, PART_PAGE } from '../persistence/subjects/account-part.ts';
import { journalBatchTable } from './journal-batch.entity.ts';
import type { JournalDetails, JournalEntryRow } from './journal-row.ts';
import { eraseJournal } from './journal.queries.ts';
import { journalEntries } from './read-journal.ts';

/** This module's data about an account: the outcomes of its events, the latest first. */
export const journalParts: readonly AccountPart[] = [
  {
    name: 'journal',
    table: journalBatchTable.meta.tableName,
    async page(uow, { accountId }, after) {
      const [ms, id] = after === undefined ? [] : (JSON.parse(after) as [number, string]);
      const position = ms === undefined || id === undefined ? undefined : { recordedAt: new Date(ms), id };
      const rows = await journalEntries(uow, { accountId, after: position }, PART_PAGE);
      const last = rows.length === PART_PAGE ? rows.at(-1) : undefined;
      return {
        rows: rows.map(shownEntry),
        next: last && JSON.stringify([last.recordedAt.getTime(), last.id]),
      };
    },
    erasure: {
      kind: 'swept',
      sweep: async (uow, accountId) => ((await eraseJournal(uow, accountId)) ? 'more' : undefined),
    },
    merging: { kind: 'stays', why: 'Entries are found by the ids of both.' },
  },
];

function shownEntry({ id, recordedAt, occurredAt, programmaticCode, operationId, effect, ...more }: JournalEntryRow) {
  const { reason, missionId, details } = more;
  return {
    id,
    recordedAt: recordedAt.toISOString(),
    occurredAt: occurredAt.toISOString(),
    programmaticCode,
    effect,
    ...(operationId !== null && { operationId }),
    ...(reason !== null && { reason }),
    ...(missionId !== null && { missionId }),
    ...(details && { details: exportedDetails(details) }),
  };
}

/** The export keeps the keys of 0.1.0. The clone is no longer readonly, as rows of a part require. */
function exportedDetails(details: JournalDetails): JsonObject {
  const { missions: m, campaigns: c, rewards: r, deadTrigger: d, attributes, explanation, amount } = details;
  const { reversal } = details;
  return structuredClone({
    ...(m && { m }),
    ...(c && { c }),
    ...(r && { r }),
    ...(d && { d }),
    ...(attributes && { attributes }),
    ...(explanation && { explanation }),
    ...(amount !== undefined && { amount }),
    ...(reversal && { reversal }),
  }) as unknown as JsonObject;
}
