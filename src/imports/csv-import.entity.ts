import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** A CSV file that is uploaded, checked and applied; its row is also the job's: who works on it, and how far that is. */
export const csvImportTable = defineEntity({
  name: 'CsvImportEntity',
  tableName: 'csv_import',
  ...ownedByClient,
  indexes: [
    { name: 'csv_import_list', properties: ['clientId', 'createdAt', 'id'] },
    { name: 'csv_import_open', properties: ['clientId', 'id'], where: 'finished_at is null' },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    type: columns.oneOf(['ACCOUNTS', 'PRODUCT_CODES']),
    status: columns.oneOf(['UPLOADING', 'QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
    fileName: columns.text(),
    /** ACCOUNTS: every account of the file joins it. */
    audienceId: columns.reference().nullable(),
    /** PRODUCT_CODES: whose codes they are. */
    productId: columns.reference().nullable(),
    /** PRODUCT_CODES: what codes are good for whose row does not say. */
    itemId: columns.reference().nullable(),
    /** Bytes of the file that are stored. */
    bytes: columns.count().default(0),
    /** Names the upload that may add to them: an older one, whose caller gave up on it, may not. */
    upload: columns.reference().nullable(),
    /** When a byte last came. */
    uploadedAt: columns.moment(),
    /** The cursor: the first byte of the file that no committed batch has dealt with. Moves with the batch's effects. */
    position: columns.count().default(0),
    /** The line in which that byte stands, from 1. */
    line: p.integer().default(1),
    /** Null until the file has been checked. */
    rowsTotal: p.integer().nullable(),
    rowsCreated: p.integer().default(0),
    rowsUpdated: p.integer().default(0),
    rowsUnchanged: p.integer().default(0),
    rowsRefused: p.integer().default(0),
    /** Failures since the cursor last moved that nobody foresaw, a death of the process being one. */
    failures: p.integer().default(0),
    /** Since when it waits for a row in use or a database that is away. Null while it makes progress, and once it has ended. */
    waitingSince: columns.moment().nullable(),
    /** Why it is FAILED. */
    error: columns.text().nullable(),
    /** Names the run that works on it; another run's batches do not commit. */
    runner: columns.reference().nullable(),
    /** Until when nobody else takes it. */
    leaseUntil: columns.moment().nullable(),
    createdAt: columns.createdAt(),
    startedAt: columns.moment().nullable(),
    finishedAt: columns.moment().nullable(),
  },
});

export class CsvImportEntity extends csvImportTable.class {}
csvImportTable.setClass(CsvImportEntity);
