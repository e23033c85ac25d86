import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import type { StoredEntry } from './journal-row.ts';

/**
 * What became of the events that one transaction decided about, up to 200 of them: a row for each event, with its indexes, took
 * 874 bytes of WAL and 12.3 µs of PostgreSQL's processor time an event, this takes 355 and 5.0 in batches of 200, 444 and 6.5 of
 * 20, 867 and 27 (for 30) of single events: docs/decisions/0067. Partitioned by day, which MikroORM does not know: the migration
 * `journal` creates it by hand, and its function `keep_journal_partitions` adds and drops the days. Rows are only added, and
 * changed where an account is erased.
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
    /** What operation ids are found by that no operation is stored under: see `operationHash`. */
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
