import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The state of an account in a track. A row appears with the first level, and is written under the lock of its account. */
export const accountLevelTable = defineEntity({
  name: 'AccountLevelEntity',
  tableName: 'account_level',
  ...ownedByClient,
  indexes: [
    // For previews, expressions over all accounts, and the rows of a deleted track.
    { name: 'account_level_track', properties: ['clientId', 'trackId', 'accountId'] },
    // The reviews and warnings that are due.
    {
      name: 'account_level_next_step',
      properties: ['clientId', 'nextStepAt', 'accountId', 'trackId'],
      where: 'next_step_at is not null',
    },
  ],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    trackId: columns.reference().primary(),
    /** The code of the level that was announced last; null for none. */
    code: columns.byteExactText().nullable(),
    /** The time of its announcement. */
    since: columns.moment(),
    /** The value that the account counts as having at least, until the review. */
    heldValue: columns.amount().nullable(),
    /** The time of the review; null if the level stays. */
    reviewAt: columns.moment().nullable(),
    /** Whether the account was warned of this review. */
    isWarned: p.boolean().default(false),
    /** The time of the warning or the review, whichever comes first; null without one. */
    nextStepAt: columns.moment().nullable(),
    /** The codes of the levels that were paid. */
    paid: p.array().$type<string[]>().columnType('text[]').collation('C'),
  },
});

export class AccountLevelEntity extends accountLevelTable.class {}
accountLevelTable.setClass(AccountLevelEntity);
