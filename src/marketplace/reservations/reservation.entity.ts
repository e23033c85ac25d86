import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** Units of a publication that are reserved for an account. It changes only under the lock of its publication's stock. */
export const reservationTable = defineEntity({
  name: 'ReservationEntity',
  tableName: 'reservation',
  ...ownedByClient,
  checks: [{ name: 'reservation_quantity_check', expression: 'quantity > 0' }],
  indexes: [
    // The index has open reservations only, so that a million bought ones do not slow the search for due ones.
    {
      name: 'reservation_open',
      properties: ['clientId', 'publicationId', 'expiresAt'],
      where: `status = 'ACTIVE'`,
    },
    {
      name: 'reservation_open_of_agreement',
      properties: ['clientId', 'agreementId', 'expiresAt'],
      where: `status = 'ACTIVE' and agreement_id is not null`,
    },
    { name: 'reservation_account', properties: ['clientId', 'accountId', 'id'] },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    publicationId: columns.reference(),
    /** A copy of the publication's agreement, so that one look finds all due reservations of an agreement. */
    agreementId: columns.reference().nullable(),
    accountId: columns.reference(),
    /** Units; purchases reduce those of an ACTIVE reservation. */
    quantity: p.integer(),
    /** ACTIVE also after `expires_at`, until a job or an order closes it: readers look at both. */
    status: columns.oneOf(['ACTIVE', 'RELEASED', 'REDEEMED', 'EXPIRED']).default('ACTIVE'),
    expiresAt: columns.moment(),
    /** The promised price of a unit in points, 0 for free; null for reservations older than promised prices. */
    pointsCost: columns.amount().nullable(),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class ReservationEntity extends reservationTable.class {}
reservationTable.setClass(ReservationEntity);
