import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** An applied event of an import, for its reversal. The row goes when the event is taken back. */
export const csvImportEntryTable = defineEntity({
  name: 'CsvImportEntryEntity',
  tableName: 'csv_import_entry',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    importId: columns.reference().primary(),
    /** The position of the row in the file, in bytes. */
    position: columns.count().primary(),
    line: p.integer(),
    /** The id of the event's journal entry. */
    entryId: columns.text(),
  },
});

export class CsvImportEntryEntity extends csvImportEntryTable.class {}
csvImportEntryTable.setClass(CsvImportEntryEntity);
