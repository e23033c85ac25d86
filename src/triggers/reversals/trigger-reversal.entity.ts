import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The amount that reversals have taken back of an event. The event itself is an entry of the journal. */
export const triggerReversalTable = defineEntity({
  name: 'TriggerReversalEntity',
  tableName: 'trigger_reversal',
  ...ownedByClient,
  indexes: [
    // For the export and the erasure of an account.
    { name: 'trigger_reversal_account', properties: ['clientId', 'accountId', 'batchId', 'entry'] },
  ],
  checks: [{ name: 'trigger_reversal_amount_check', expression: 'amount > 0' }],
  properties: {
    clientId: columns.clientId(),
    /** The journal's batch with the entry of the event. */
    batchId: columns.reference().primary(),
    /** The index of the entry in its batch. */
    entry: p.integer().primary(),
    accountId: columns.reference(),
    /** The sum of all reversals of the event. */
    amount: columns.amount(),
    /** The time of the latest one. */
    reversedAt: columns.moment(),
  },
});

export class TriggerReversalEntity extends triggerReversalTable.class {}
triggerReversalTable.setClass(TriggerReversalEntity);
