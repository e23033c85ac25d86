import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** A cause that needs attention, from when it was found until it has been gone for a while. */
export const alertTable = defineEntity({
  name: 'AlertEntity',
  tableName: 'alert',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    /** `Cause.key`, the same for as long as the cause lasts. In the key, so that two processes that find it have one alert of it. */
    causeKey: columns.text().primary(),
    /** New each time that the cause comes back after its end. */
    id: columns.reference(),
    openedAt: columns.moment(),
    /** Since when it has not been found; null while it is there. */
    goneSince: columns.moment().nullable(),
    /** The time of the last report by each channel. */
    webhookToldAt: columns.moment().nullable(),
    emailToldAt: columns.moment().nullable(),
  },
});

export class AlertEntity extends alertTable.class {}
alertTable.setClass(AlertEntity);
