import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** A row of a file that had no effect. */
export const csvImportRefusalTable = defineEntity({
  name: 'CsvImportRefusalEntity',
  tableName: 'csv_import_refusal',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    importId: columns.reference().primary(),
    /** Where the row begins in the file, in bytes; rows are reported in this order. */
    position: columns.count().primary(),
    /** Where it begins, as an editor counts. */
    line: p.integer(),
    /** Its external id or code; empty if that could not be read. */
    key: columns.text(),
    reason: columns.text(),
    /** The form and the values of the reason, for other languages; null of one without values, and of one too long. */
    metadata: p.json<Record<string, string>>().nullable(),
  },
});

export class CsvImportRefusalEntity extends csvImportRefusalTable.class {}
csvImportRefusalTable.setClass(CsvImportRefusalEntity);
