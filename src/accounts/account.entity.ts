import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** An end user of the integrator's platform, anonymous unless the integrator says more. */
export const accountTable = defineEntity({
  name: 'AccountEntity',
  tableName: 'account',
  ...ownedByClient,
  uniques: [
    // A deleted account gives its external id back.
    { name: 'account_external_id_unique', properties: ['clientId', 'externalId'], where: 'deleted_at is null' },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    /** The integrator's own id, compared byte by byte. */
    externalId: columns.byteExactText().nullable(),
    email: columns.text().nullable(),
    name: columns.text().nullable(),
    /** IANA name; without it the client's applies. */
    timeZone: columns.text().nullable(),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
    deletedAt: columns.moment().nullable(),
  },
});

export class AccountEntity extends accountTable.class {}
accountTable.setClass(AccountEntity);
