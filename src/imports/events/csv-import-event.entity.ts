import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * A row of a file of events, from its reading until it is applied. The key of the table sorts the file: account by account, in the order in
 * which the events occurred.
 */
export const csvImportEventTable = defineEntity({
  name: 'CsvImportEventEntity',
  tableName: 'csv_import_event',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    importId: columns.reference().primary(),
    /** The kind and the id of the account, as the row names it. */
    subject: columns.byteExactText().primary(),
    /** Milliseconds since 1970 at which the event occurred. */
    occurredAt: columns.count().primary(),
    /** The position of the row in the file, in bytes. */
    position: columns.count().primary(),
    /** The line of its begin, as an editor counts. */
    line: p.integer(),
    /** Its operation id and code, for the report of refused rows. */
    key: columns.text(),
    /** The event, as `laurel.v1.Trigger`. */
    trigger: p.blob(),
  },
});

export class CsvImportEventEntity extends csvImportEventTable.class {}
csvImportEventTable.setClass(CsvImportEventEntity);
