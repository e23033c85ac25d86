import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** One account in one MANUAL audience. */
export const audienceMemberTable = defineEntity({
  name: 'AudienceMemberEntity',
  tableName: 'audience_member',
  ...ownedByClient,
  indexes: [{ name: 'audience_member_account', properties: ['clientId', 'accountId'] }],
  properties: {
    clientId: columns.clientId(),
    audienceId: columns.reference().primary(),
    accountId: columns.reference().primary(),
    joinedAt: columns.moment(),
  },
});

export class AudienceMemberEntity extends audienceMemberTable.class {}
audienceMemberTable.setClass(AudienceMemberEntity);
