import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/**
 * A piece of an uploaded file. It is in the database, not on a disk, so that any process on any host can continue the job of a dead one. A
 * backup also has both or neither. It is deleted after the end of the import.
 */
export const csvImportChunkTable = defineEntity({
  name: 'CsvImportChunkEntity',
  tableName: 'csv_import_chunk',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    importId: columns.reference().primary(),
    /** The position of its begin in the file, in bytes. */
    position: columns.count().primary(),
    data: p.blob(),
  },
});

export class CsvImportChunkEntity extends csvImportChunkTable.class {}
csvImportChunkTable.setClass(CsvImportChunkEntity);
