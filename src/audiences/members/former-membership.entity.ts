import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * An ended membership, for events that occurred during it and are applied later. Housekeeping deletes it when no such event can follow: see
 * `delete-former-memberships.ts`.
 */
export const formerMembershipTable = defineEntity({
  name: 'FormerMembershipEntity',
  tableName: 'former_membership',
  ...ownedByClient,
  indexes: [{ name: 'former_membership_left', properties: ['clientId', 'leftAt'] }],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    audienceId: columns.reference().primary(),
    leftAt: columns.moment().primary(),
    joinedAt: columns.moment(),
  },
});

export class FormerMembershipEntity extends formerMembershipTable.class {}
formerMembershipTable.setClass(FormerMembershipEntity);
