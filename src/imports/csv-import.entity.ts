import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import type { BackfillSummary } from '../triggers/backfill/backfill-summary.ts';
import { IMPORT_STATUSES, IMPORT_TYPES } from './csv-import.ts';

/** A CSV file that is uploaded, checked and applied. Its row is also that of the job: its worker and its progress. */
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
    type: columns.oneOf(IMPORT_TYPES),
    status: columns.oneOf(IMPORT_STATUSES),
    fileName: columns.text(),
    /** ACCOUNTS: the audience that every account of the file joins. */
    audienceId: columns.reference().nullable(),
    /** PRODUCT_CODES: the product of the codes. */
    productId: columns.reference().nullable(),
    /** PRODUCT_CODES: the item of codes whose row has none. */
    itemId: columns.reference().nullable(),
    /** EVENTS: the rewards that are delivered. */
    rewards: columns.oneOf(['NONE', 'POINTS', 'ALL']).nullable(),
    /** EVENTS: whether webhooks are sent. */
    webhooks: p.boolean().nullable(),
    /** EVENTS: whether it is a rehearsal. */
    dryRun: p.boolean().nullable(),
    /** EVENTS: whether the whole file was read, so that its events are applied. */
    isStaged: p.boolean().default(false),
    /** EVENTS: what the applied events come to; null before the first. */
    summary: p.json<BackfillSummary>().nullable(),
    /** EVENTS: the events that were taken back. */
    rowsReversed: p.integer().default(0),
    /** EVENTS: the reason of the reversal. */
    reversalReason: columns.text().nullable(),
    /** Stored bytes of the file. */
    bytes: columns.count().default(0),
    /** The upload that may add bytes; an older upload, abandoned by its caller, may not. */
    upload: columns.reference().nullable(),
    /** The arrival time of the last byte. */
    uploadedAt: columns.moment(),
    /** The cursor: the first byte of the file that no committed batch has processed. It moves with the batch's effects. */
    position: columns.count().default(0),
    /** The line of that byte, from 1. */
    line: p.integer().default(1),
    /** Null until the file has been checked. */
    rowsTotal: p.integer().nullable(),
    rowsCreated: p.integer().default(0),
    rowsUpdated: p.integer().default(0),
    rowsUnchanged: p.integer().default(0),
    rowsRefused: p.integer().default(0),
    /** Unexpected failures since the cursor last moved; a death of the process counts as one. */
    failures: p.integer().default(0),
    /** The start of waiting for a locked row or the database; null while it makes progress, and after its end. */
    waitingSince: columns.moment().nullable(),
    /** The reason for FAILED. */
    error: columns.text().nullable(),
    /** The run that works on the import; batches of other runs do not commit. */
    runner: columns.reference().nullable(),
    /** The end of the lease, until which no other worker claims the import. */
    leaseUntil: columns.moment().nullable(),
    createdAt: columns.createdAt(),
    startedAt: columns.moment().nullable(),
    finishedAt: columns.moment().nullable(),
  },
});

export class CsvImportEntity extends csvImportTable.class {}
csvImportTable.setClass(CsvImportEntity);
