import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The causes of a line, as in the proto. */
export const FREEZE_TYPES = ['EARN', 'GRANT', 'BUY', 'USE', 'RETURN', 'REVERSE'] as const;

/** A line in the ledger of an account's streak freezes; never changed and never deleted. */
export const streakFreezeTable = defineEntity({
  name: 'StreakFreezeEntity',
  tableName: 'streak_freeze',
  ...ownedByClient,
  // Ids grow with time, so that the latest lines of an account are at the end of its part.
  indexes: [{ name: 'streak_freeze_account', properties: ['clientId', 'accountId', 'id'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    accountId: columns.reference(),
    type: columns.oneOf(FREEZE_TYPES),
    /** Signed; USE and REVERSE have negative amounts. */
    amount: p.integer(),
    /** The time from which it counts: the end of the missed period for USE and RETURN. */
    at: columns.moment(),
    /** Set for USE, RETURN, EARN and REVERSE. */
    missionId: columns.reference().nullable(),
    /** The number of the missed period, of USE and RETURN, and its name. */
    period: p.integer().nullable(),
    periodKey: columns.text().nullable(),
    /** Set for EARN and REVERSE. */
    milestone: p.integer().nullable(),
    /** The price of a BUY. */
    points: columns.amount().nullable(),
    operationId: columns.byteExactText().nullable(),
    reason: columns.text().nullable(),
    createdAt: columns.createdAt(),
  },
});

export class StreakFreezeEntity extends streakFreezeTable.class {}
streakFreezeTable.setClass(StreakFreezeEntity);
