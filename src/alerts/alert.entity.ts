import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** A cause that needs attention. The row stays for a while after the cause has disappeared. */
export const alertTable = defineEntity({
  name: 'AlertEntity',
  tableName: 'alert',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    /** `Cause.key`, constant while the cause lasts. It is in the key, so that two processes that find the cause have one alert. */
    causeKey: columns.text().primary(),
    /** A returning cause gets a new id after the end of its alert. */
    id: columns.reference(),
    openedAt: columns.moment(),
    /** The time since which the cause is absent; null while it is present. */
    goneSince: columns.moment().nullable(),
    /** The time of the last report by each channel. */
    webhookToldAt: columns.moment().nullable(),
    emailToldAt: columns.moment().nullable(),
  },
});

export class AlertEntity extends alertTable.class {}
alertTable.setClass(AlertEntity);
