import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** One sign-in of a person, from then until sign-out. Its tokens are rows of `console_token`. */
export const consoleSessionTable = defineEntity({
  name: 'ConsoleSessionEntity',
  tableName: 'console_session',
  ...ownedByClient,
  indexes: [{ name: 'console_session_user', properties: ['clientId', 'userId'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    userId: columns.reference(),
    createdAt: columns.createdAt(),
    /** However often it is renewed. */
    expiresAt: columns.moment(),
    /** An identity provider vouched for the person; false in sessions that hosts of 0.1.0 began. */
    byProvider: p.boolean().default(false),
    /** Wrong passwords that were sent for the user between the sign-in before and this one. */
    failedBefore: p.integer().default(0),
    /** When the user had signed in before. */
    signedInBeforeAt: columns.moment().nullable(),
    /** The browser's user agent; null for a session of release 0.1.0. */
    userAgent: columns.text().nullable(),
    /** From which address the person signed in. */
    address: columns.text().nullable(),
    /** The sign-in, or the last renewal of a token. */
    lastUsedAt: columns.moment().nullable(),
    /** Signed out, replaced by a new password, or ended because a stolen cookie was sent. */
    endedAt: columns.moment().nullable(),
  },
});

export class ConsoleSessionEntity extends consoleSessionTable.class {}
consoleSessionTable.setClass(ConsoleSessionEntity);
