import { defineEntity, p } from '@mikro-orm/core';
import type {
  JournalEntry_Effect as Effect,
  JournalEntry_Reason as Reason,
} from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import type { JournalDetails } from './journal-row.ts';

/**
 * What became of one event. Partitioned by day, which MikroORM does not know: the migration `journal` creates it by hand, and
 * its function `keep_journal_partitions` adds and drops the days. Rows are only added, and removed with an account.
 */
export const journalEntryTable = defineEntity({
  name: 'JournalEntryEntity',
  tableName: 'journal_entry',
  ...ownedByClient,
  indexes: [
    { name: 'journal_entry_account', properties: ['clientId', 'accountId', 'recordedAt', 'id'] },
    { name: 'journal_entry_code', properties: ['clientId', 'programmaticCode', 'recordedAt', 'id'] },
    {
      name: 'journal_entry_operation',
      properties: ['clientId', 'operationId'],
      where: 'operation_id is not null',
    },
    // What is looked for although it is rare: every other effect is found by walking back from the newest entry.
    {
      name: 'journal_entry_rare_effect',
      properties: ['clientId', 'effect', 'recordedAt', 'id'],
      where: 'effect in (4, 5)',
    },
  ],
  properties: {
    clientId: columns.clientId(),
    /** By the clock of the database; names the partition. */
    recordedAt: columns.moment().primary(),
    id: columns.id(),
    /** Null of a dead trigger whose account there is not. */
    accountId: columns.reference().nullable(),
    occurredAt: columns.moment(),
    /** The number of a `JournalEntry.Effect`. */
    effect: p.smallint().$type<Effect>(),
    /** The number of a `JournalEntry.Reason`; null where the event did something. */
    reason: p.smallint().$type<Reason>().nullable(),
    /** The mission that the reason is about. */
    missionId: columns.reference().nullable(),
    programmaticCode: columns.byteExactText(),
    operationId: columns.byteExactText().nullable(),
    /** Null where nothing happened. */
    details: p.json<JournalDetails>().nullable(),
  },
});

export class JournalEntryEntity extends journalEntryTable.class {}
journalEntryTable.setClass(JournalEntryEntity);
