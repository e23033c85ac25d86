import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** The sums of an account's point entries, changed only together with them. */
export const pointBalanceTable = defineEntity({
  name: 'PointBalanceEntity',
  tableName: 'point_balance',
  ...ownedByClient,
  checks: [{ name: 'point_balance_not_negative', expression: 'available >= 0' }],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    available: columns.amount().default('0'),
    spent: columns.amount().default('0'),
    expired: columns.amount().default('0'),
    lifetimeEarned: columns.amount().default('0'),
    /** Reversed points that the account had spent: its next credits pay them. */
    debt: columns.amount().default('0'),
    /** The earliest expiry of open lots; null if none expires. It may be too early after spending, but never too late. */
    nextExpiresAt: columns.moment().nullable(),
    /** `createdAt` of the latest entry, to the microsecond; the next one is later. */
    lastEntryAt: p.datetime(6).nullable(),
  },
});

export class PointBalanceEntity extends pointBalanceTable.class {}
pointBalanceTable.setClass(PointBalanceEntity);
