import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/**
 * A piece of an uploaded file. In the database and not on a disk, so that any process on any host can go on with the job of
 * one that died, and so that a backup has both or neither. Gone when the import has ended.
 */
export const csvImportChunkTable = defineEntity({
  name: 'CsvImportChunkEntity',
  tableName: 'csv_import_chunk',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    importId: columns.reference().primary(),
    /** Where it begins in the file, in bytes. */
    position: columns.count().primary(),
    data: p.blob(),
  },
});

export class CsvImportChunkEntity extends csvImportChunkTable.class {}
csvImportChunkTable.setClass(CsvImportChunkEntity);
