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
    /** The end of the session, regardless of renewals. */
    expiresAt: columns.moment(),
    /** Whether an identity provider authenticated the person; false in sessions that hosts of 0.1.0 began. */
    byProvider: p.boolean().default(false),
    /** Wrong passwords for the user between the previous sign-in and this one. */
    failedBefore: p.integer().default(0),
    /** The time of the previous sign-in. */
    signedInBeforeAt: columns.moment().nullable(),
    /** The browser's user agent; null for a session of release 0.1.0. */
    userAgent: columns.text().nullable(),
    /** The address of the sign-in. */
    address: columns.text().nullable(),
    /** The time of the sign-in or of the last renewal of a token. */
    lastUsedAt: columns.moment().nullable(),
    /** The time of the sign-out, of the new password, or of the use of a stolen cookie. */
    endedAt: columns.moment().nullable(),
  },
});

export class ConsoleSessionEntity extends consoleSessionTable.class {}
consoleSessionTable.setClass(ConsoleSessionEntity);
