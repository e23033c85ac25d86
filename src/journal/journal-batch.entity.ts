import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import type { StoredEntry } from './journal-row.ts';

/**
 * The outcomes of up to 200 events of one transaction. One row for all of them takes 0.4 of the log and processor time
 * of a row each: docs/decisions/0067. The table is partitioned by day, which MikroORM cannot declare: the migration
 * `journal` creates it, and its function `keep_journal_partitions` adds and drops the days. Rows are only added, and
 * changed only by an erasure.
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
    /** By the clock of the database; names the partition. */
    recordedAt: columns.moment().primary(),
    id: columns.id(),
    /** Whose each entry is; null of a dead trigger whose account there is not, and of an account that was erased. */
    accountIds: p.array().$type<(string | null)[]>().columnType('uuid[]'),
    /** The codes that its events have, each once. */
    programmaticCodes: p.array().$type<string[]>().columnType('text[]').collation('C'),
    /** The numbers of the effects that its events had, each once. */
    effects: p.array().$type<number[]>().columnType('smallint[]'),
    /** Hashes of operation ids without a stored operation: see `operationHash`. */
    operationHashes: p.array().$type<number[]>().columnType('int[]'),
    /**
     * The missions that its entries are about, each once: the entries have their places here. Null in a batch whose entries have
     * the ids, and moments from 1970 on.
     */
    missionIds: p.array().$type<string[]>().columnType('uuid[]').nullable(),
    /** One for each account id. */
    entries: p.json<StoredEntry[]>().columnType('json'),
  },
});

export class JournalBatchEntity extends journalBatchTable.class {}
journalBatchTable.setClass(JournalBatchEntity);
