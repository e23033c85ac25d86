import { JournalEntry_EffectSchema as EffectSchema } from '../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import type { ExportJournalRequest } from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { Uncounted_ReasonSchema as ReasonSchema } from '../../../gen/laurel/v1/uncounted_pb.ts';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import type { Call } from '../../clients/call.ts';
import { type Named, toJournalMessage } from '../../journal/journal-message.ts';
import type { JournalEntryRow } from '../../journal/journal-row.ts';
import { journalEntries } from '../../journal/read-journal.ts';
import { enumName } from '../../kernel/enum-names.ts';
import type { CellValue } from '../files/csv/csv-text.ts';
import { exportedPages, PAGE } from './exported-pages.ts';

/** Returns the journal of events as CSV: proto ExportAdminService.ExportJournal. */
export function exportJournal(
  { db, principal: { clientId } }: Call,
  { accountId }: ExportJournalRequest,
  catalogs: Catalogs,
): AsyncIterable<{ data: Uint8Array }> {
  return exportedPages<JournalEntryRow>(db, clientId, {
    columns: [
      'id',
      'recordedAt',
      'occurredAt',
      'accountId',
      'programmaticCode',
      'operationId',
      'effect',
      'uncountedReason',
      'missions',
      'campaigns',
      'rewards',
      'errorCode',
    ],
    async pageAfter(uow, last) {
      const catalog = await catalogs(uow);
      const rows = await journalEntries(uow, { accountId, after: last }, PAGE);
      return { rows, cells: rows.map((row) => cellsOf(row, catalog)) };
    },
  });
}

function cellsOf(row: JournalEntryRow, catalog: Named): CellValue[] {
  const { missions = [], campaigns = [], rewards = [], missionName, errorCode } = toJournalMessage(row, catalog);
  const names = (each: readonly { readonly name?: string }[]) => each.map(({ name }) => name).join('; ');
  return [
    row.id,
    row.recordedAt,
    row.occurredAt,
    row.accountId,
    row.programmaticCode,
    row.operationId,
    enumName(EffectSchema, row.effect) ?? null,
    row.reason === null ? null : (enumName(ReasonSchema, row.reason) ?? null),
    missionName ?? names(missions),
    names(campaigns),
    names(rewards),
    errorCode ?? null,
  ];
}
