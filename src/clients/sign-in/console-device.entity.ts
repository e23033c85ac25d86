import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A browser with which a user has signed in. It grants no access; its attempts are counted separately from those of unknown browsers. */
export const consoleDeviceTable = defineEntity({
  name: 'ConsoleDeviceEntity',
  tableName: 'console_device',
  ...ownedByClient,
  uniques: [{ name: 'console_device_hash_unique', properties: ['clientId', 'userId', 'hash'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    userId: columns.reference(),
    /** SHA-256 of the token in the cookie. */
    hash: p.blob(),
    lastUsedAt: columns.moment(),
  },
});

export class ConsoleDeviceEntity extends consoleDeviceTable.class {}
consoleDeviceTable.setClass(ConsoleDeviceEntity);
