import { unitedRows } from '../persistence/subjects/merged-rows.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { audienceMemberTable } from './members/audience-member.entity.ts';
import { formerMembershipTable } from './members/former-membership.entity.ts';

/** This module's data about an account. */
export const audienceParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'audiences',
    table: audienceMemberTable,
    order: ['audienceId'],
    erasure: {
      kind: 'atOnce',
      async erase(uow, { accountId }) {
        await uow.query('delete from audience_member where client_id = $1 and account_id = $2', [
          uow.clientId,
          accountId,
        ]);
      },
    },
    merging: unitedRows(audienceMemberTable, {
      key: ['audienceId'],
      onBoth: 'joined_at = least(t.joined_at, excluded.joined_at)',
      changedBy: 'a membership',
    }),
  }),
  rowsOfAccount({
    name: 'formerAudiences',
    table: formerMembershipTable,
    order: ['audienceId', 'leftAt'],
    erasure: {
      kind: 'atOnce',
      async erase(uow, { accountId }) {
        await uow.query(
          `delete from former_membership f using ${lookUpByKey({
            select: 'ctid as row_ctid',
            from: 'former_membership',
            key: { account_id: '$2::uuid' },
            many: true,
          })} own where f.client_id = $1 and f.ctid = own.row_ctid`,
          [uow.clientId, accountId],
        );
      },
    },
    merging: unitedRows(formerMembershipTable, {
      key: ['audienceId', 'leftAt'],
      onBoth: 'joined_at = least(t.joined_at, excluded.joined_at)',
    }),
  }),
];
