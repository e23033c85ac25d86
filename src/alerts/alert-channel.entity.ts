import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import { CHANNEL_KINDS } from './channel-kind.ts';

/** How one way of telling fares. It has no row until something is to be told. */
export const alertChannelTable = defineEntity({
  name: 'AlertChannelEntity',
  tableName: 'alert_channel',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    kind: columns.oneOf(CHANNEL_KINDS).primary(),
    /** Names the message that is under way, and until when its sender has it; afterwards that one counts as dead. */
    leaseId: columns.reference().nullable(),
    leaseUntil: columns.moment().nullable(),
    lastSentAt: columns.moment().nullable(),
    /** Attempts that failed one after the other, since when, and when the next one is due. */
    failures: p.integer().default(0),
    failingSince: columns.moment().nullable(),
    nextAttemptAt: columns.moment().nullable(),
    /** The error of the last attempt; null if it succeeded. */
    lastError: columns.text().nullable(),
  },
});

export class AlertChannelEntity extends alertChannelTable.class {}
alertChannelTable.setClass(AlertChannelEntity);
