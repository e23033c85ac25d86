import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * A token of a session, without the token itself. A session has one ACCESS token per browser tab, and one chain of REFRESH tokens, of which
 * the last is valid.
 */
export const consoleTokenTable = defineEntity({
  name: 'ConsoleTokenEntity',
  tableName: 'console_token',
  ...ownedByClient,
  uniques: [{ name: 'console_token_hash_unique', properties: ['clientId', 'hash'] }],
  indexes: [{ name: 'console_token_session', properties: ['clientId', 'sessionId'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    sessionId: columns.reference(),
    /** ACCESS is a bearer token, REFRESH the value of the cookie. */
    kind: columns.oneOf(['ACCESS', 'REFRESH']),
    /** SHA-256 of the token. */
    hash: p.blob(),
    expiresAt: columns.moment(),
    /** The time at which a REFRESH token was used and replaced. */
    replacedAt: columns.moment().nullable(),
    /** The token that replaced it, encrypted with the replaced token; present only while that one may be sent again. */
    successor: columns.text().nullable(),
  },
});

export class ConsoleTokenEntity extends consoleTokenTable.class {}
consoleTokenTable.setClass(ConsoleTokenEntity);
