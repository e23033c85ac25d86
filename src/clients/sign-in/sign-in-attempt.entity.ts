import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * A counter of wrong passwords by subject and source. Attempts from unknown browsers belong to no client, because the e-mail may have no
 * user or several. Such rows have the nil UUID as the client.
 */
export const signInAttemptTable = defineEntity({
  name: 'SignInAttemptEntity',
  tableName: 'sign_in_attempt',
  ...ownedByClient,
  indexes: [{ name: 'sign_in_attempt_forget', properties: ['clientId', 'forgetAt'] }],
  properties: {
    clientId: columns.clientId(),
    /** SHA-256 of the subject: an e-mail with the requested client, or the id of a user. */
    subject: p.blob().primary(),
    /** SHA-256 of the origin: an address, a known browser, or everywhere. */
    source: p.blob().primary(),
    failures: p.integer(),
    lastFailedAt: columns.moment(),
    /** The time at which the failures expire. */
    forgetAt: columns.moment(),
  },
});

export class SignInAttemptEntity extends signInAttemptTable.class {}
signInAttemptTable.setClass(SignInAttemptEntity);
