import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** Units that several publications share, as they were agreed with their supplier. */
export const agreementTable = defineEntity({
  name: 'AgreementEntity',
  tableName: 'agreement',
  ...ownedByClient,
  checks: [{ name: 'agreement_reserved_check', expression: 'reserved between 0 and stock' }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    /** Units left, sold ones taken off, reserved ones not. */
    stock: p.integer().default(0),
    /** Units of ACTIVE reservations of its publications, those whose time is up included until they are closed. */
    reserved: p.integer().default(0),
    /** Units that were ever added, so that the stock can be recomputed. */
    unitsAdded: columns.count().default(0),
    /** Raised by every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
  },
});

export class AgreementEntity extends agreementTable.class {}
agreementTable.setClass(AgreementEntity);
