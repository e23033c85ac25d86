import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * The number of wrong passwords for one user from one network in one hour, until the audit log has it. Rows for an unknown e-mail belong to
 * no client: they have the nil UUID for client and user.
 */
export const failedSignInTable = defineEntity({
  name: 'FailedSignInEntity',
  tableName: 'failed_sign_in',
  ...ownedByClient,
  indexes: [{ name: 'failed_sign_in_hour', properties: ['clientId', 'hour'] }],
  properties: {
    clientId: columns.clientId(),
    userId: p.uuid().primary(),
    /** An IPv4 address, or the first 64 bits of an IPv6 one; empty if unknown. */
    network: p.text().primary(),
    /** The begin of an hour in UTC. */
    hour: columns.moment().primary(),
    failures: p.integer(),
  },
});

export class FailedSignInEntity extends failedSignInTable.class {}
failedSignInTable.setClass(FailedSignInEntity);
