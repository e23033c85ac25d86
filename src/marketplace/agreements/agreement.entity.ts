import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** Units agreed with a supplier, which several publications share. */
export const agreementTable = defineEntity({
  name: 'AgreementEntity',
  tableName: 'agreement',
  ...ownedByClient,
  checks: [{ name: 'agreement_reserved_check', expression: 'reserved between 0 and stock' }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    /** Unsold units, reserved ones included. */
    stock: p.integer().default(0),
    /** Units of ACTIVE reservations of its publications, including expired ones that are not closed yet. */
    reserved: p.integer().default(0),
    /** The sum of all added units, so that the stock can be recomputed. */
    unitsAdded: columns.count().default(0),
    /** Each change raises it, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
  },
});

export class AgreementEntity extends agreementTable.class {}
agreementTable.setClass(AgreementEntity);
