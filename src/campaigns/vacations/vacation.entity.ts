import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A vacation that an account has announced. Written under the lock of its account; days that have begun are never removed. */
export const vacationTable = defineEntity({
  name: 'VacationEntity',
  tableName: 'vacation',
  ...ownedByClient,
  // Ids grow with time, so that the latest ones of an account are at the end of its part.
  indexes: [{ name: 'vacation_account', properties: ['clientId', 'accountId', 'id'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    accountId: columns.reference(),
    /** The first and the last day, as numbers of days since 1970-01-01 in the account's calendar. */
    firstDay: p.integer(),
    lastDay: p.integer(),
    createdAt: columns.createdAt(),
  },
});

export class VacationEntity extends vacationTable.class {}
vacationTable.setClass(VacationEntity);
