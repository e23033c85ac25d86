import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** Units of a publication that are held back for an account. Changes only under the lock of its publication's stock. */
export const reservationTable = defineEntity({
  name: 'ReservationEntity',
  tableName: 'reservation',
  ...ownedByClient,
  checks: [{ name: 'reservation_quantity_check', expression: 'quantity > 0' }],
  indexes: [
    // Only open ones: what is due is found as fast when a million have been bought.
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
    /** The publication's, repeated here so that all that is due of an agreement is found at once. */
    agreementId: columns.reference().nullable(),
    accountId: columns.reference(),
    /** Units; what is bought of an ACTIVE one is taken off. */
    quantity: p.integer(),
    /** ACTIVE also after `expires_at`, until somebody closes it: readers look at both. */
    status: columns.oneOf(['ACTIVE', 'RELEASED', 'REDEEMED', 'EXPIRED']).default('ACTIVE'),
    expiresAt: columns.moment(),
    /** Points that a unit was promised for, 0 for nothing; null where it was made before prices were promised. */
    pointsCost: columns.amount().nullable(),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class ReservationEntity extends reservationTable.class {}
reservationTable.setClass(ReservationEntity);
