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
    /** Immutable, so that it can be read before the locks: the agreement is locked first. */
    agreementId: columns.reference().nullable(),
    name: columns.text(),
    description: columns.text().default(''),
    status: columns.oneOf(['DRAFT', 'PUBLISHED_ON_MARKETPLACE']).default('DRAFT'),
    /** Null until it changes state for the first time. */
    pauseReason: columns.oneOf(['NONE', 'MANUAL', 'PUBLICATION_OUT_OF_STOCK', 'AGREEMENT_OUT_OF_STOCK']).nullable(),
    /** Unsold units, reserved ones included. They are allocated in the product, and a change needs the product's lock. */
    stock: p.integer().default(0),
    /** Units of ACTIVE reservations, including expired ones that are not closed yet. */
    reserved: p.integer().default(0),
    /** The sum of added units less withdrawn ones, so that the stock can be recomputed. */
    unitsAdded: columns.count().default(0),
    /** Points for one unit; null without a price. */
    pointsCost: columns.amount().nullable(),
    /** The latest change of state; the next one is at least a millisecond later. */
    statusChangedAt: columns.moment().nullable(),
    /** Each change raises it, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
  },
});

export class PublicationEntity extends publicationTable.class {}
publicationTable.setClass(PublicationEntity);
