import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import type { StoredEntry } from './journal-row.ts';

/**
 * The outcomes of up to 200 events of one transaction. One row for all of them takes 0.4 of the log and processor time of one row each:
 * docs/decisions/0067. The table is partitioned by day, which MikroORM cannot declare: the migration `journal` creates it, and its function
 * `keep_journal_partitions` adds and drops the days. Rows are only added; only an erasure changes them.
 */
export const journalBatchTable = defineEntity({
  name: 'JournalBatchEntity',
  tableName: 'journal_batch',
  ...ownedByClient,
  indexes: [
    {
      name: 'journal_batch_search',
      properties: ['accountIds', 'programmaticCodes', 'effects', 'operationHashes'],
      type: 'gin',
    },
  ],
  properties: {
    clientId: columns.clientId(),
    /** The time by the clock of the database; it selects the partition. */
    recordedAt: columns.moment().primary(),
    id: columns.id(),
    /** The account of each entry; null for an erased account and for a dead trigger without an account. */
    accountIds: p.array().$type<(string | null)[]>().columnType('uuid[]'),
    /** The codes of the batch's events, each once. */
    programmaticCodes: p.array().$type<string[]>().columnType('text[]').collation('C'),
    /** The numbers of the effects of the batch's events, each once. */
    effects: p.array().$type<number[]>().columnType('smallint[]'),
    /** Hashes of operation ids without a stored operation: see `operationHash`. */
    operationHashes: p.array().$type<number[]>().columnType('int[]'),
    /**
     * The missions of the entries, each once: entries refer to them by position, from 1. Null in older batches, whose entries contain
     * the ids, and times since 1970.
     */
    missionIds: p.array().$type<string[]>().columnType('uuid[]').nullable(),
    /** The statistics of the entries, each once: entries refer to them by position, from 1. Null in a batch that moved none. */
    statisticIds: p.array().$type<string[]>().columnType('uuid[]').nullable(),
    /** The entries, one per account id. */
    entries: p.json<StoredEntry[]>().columnType('json'),
  },
});

export class JournalBatchEntity extends journalBatchTable.class {}
journalBatchTable.setClass(JournalBatchEntity);
