import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import { CHANNEL_KINDS } from './channel-kind.ts';

/** The state of one channel. The row exists from the first message. */
export const alertChannelTable = defineEntity({
  name: 'AlertChannelEntity',
  tableName: 'alert_channel',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    kind: columns.oneOf(CHANNEL_KINDS).primary(),
    /** The message that is being sent, and the end of its lease. After the lease its sender counts as dead. */
    leaseId: columns.reference().nullable(),
    leaseUntil: columns.moment().nullable(),
    lastSentAt: columns.moment().nullable(),
    /** Failed attempts in a row, the time of the first one, and the time of the next attempt. */
    failures: p.integer().default(0),
    failingSince: columns.moment().nullable(),
    nextAttemptAt: columns.moment().nullable(),
    /** The error of the last attempt; null if it succeeded. */
    lastError: columns.text().nullable(),
  },
});

export class AlertChannelEntity extends alertChannelTable.class {}
alertChannelTable.setClass(AlertChannelEntity);
