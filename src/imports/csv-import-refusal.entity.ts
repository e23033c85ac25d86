import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** A refused row of a file. */
export const csvImportRefusalTable = defineEntity({
  name: 'CsvImportRefusalEntity',
  tableName: 'csv_import_refusal',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    importId: columns.reference().primary(),
    /** The position of the row in the file, in bytes; reports are in this order. */
    position: columns.count().primary(),
    /** The line of its begin, as an editor counts. */
    line: p.integer(),
    /** Its external id or code; empty if unreadable. */
    key: columns.text(),
    reason: columns.text(),
    /** The template and values of the reason, for other languages; null without values or if too long. */
    metadata: p.json<Record<string, string>>().nullable(),
  },
});

export class CsvImportRefusalEntity extends csvImportRefusalTable.class {}
csvImportRefusalTable.setClass(CsvImportRefusalEntity);
