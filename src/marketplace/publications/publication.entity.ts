import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** An offer of a product on the marketplace. */
export const publicationTable = defineEntity({
  name: 'PublicationEntity',
  tableName: 'publication',
  ...ownedByClient,
  checks: [{ name: 'publication_reserved_check', expression: 'reserved between 0 and stock' }],
  indexes: [
    { name: 'publication_list', properties: ['clientId', 'name', 'id'] },
    { name: 'publication_agreement', properties: ['clientId', 'agreementId'], where: 'agreement_id is not null' },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    productId: columns.reference(),
    /** Never changes, so that it may be read before anything is locked: the agreement is locked first. */
    agreementId: columns.reference().nullable(),
    name: columns.text(),
    description: columns.text().default(''),
    status: columns.oneOf(['DRAFT', 'PUBLISHED_ON_MARKETPLACE']).default('DRAFT'),
    /** Null until it changes state for the first time. */
    pauseReason: columns.oneOf(['NONE', 'MANUAL', 'PUBLICATION_OUT_OF_STOCK', 'AGREEMENT_OUT_OF_STOCK']).nullable(),
    /** Units for sale, sold ones taken off, reserved ones not. Allocated in the product, whose lock is held for a change. */
    stock: p.integer().default(0),
    /** Units of ACTIVE reservations, those whose time is up included until they are closed. */
    reserved: p.integer().default(0),
    /** Units that were ever added and not withdrawn, so that the stock can be recomputed. */
    unitsAdded: columns.count().default(0),
    /** Points for one unit; without it nothing is paid here. */
    pointsCost: columns.amount().nullable(),
    /** The latest change of state; the next one is later, by a millisecond at least. */
    statusChangedAt: columns.moment().nullable(),
    /** Raised by every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
  },
});

export class PublicationEntity extends publicationTable.class {}
publicationTable.setClass(PublicationEntity);
