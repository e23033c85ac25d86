import type { ListedAccount } from '../accounts/account.ts';
import { LISTED_COLUMNS, listedAccountOf, type ListedAccountRow, listedColumns } from '../accounts/accounts.queries.ts';
import { LIVE_ACCOUNTS, SEARCHABLE_ACCOUNTS } from '../accounts/joined-accounts.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import { pagedList } from '../persistence/lists/list-page.ts';
import { audienceMemberTable } from './audience-member.entity.ts';

/** An account in an audience; `joinedAt` is undefined in one for EVERYONE. */
export type Member = { readonly account: ListedAccount; readonly joinedAt: Date | undefined };

/**
 * Accounts that are in any of these audiences, each counted once. Those that were deleted do not count.
 * Counting a million takes PostgreSQL about half a second: for pages that show one audience or campaign, not for lists.
 */
export async function countMembers(uow: UnitOfWork, audienceIds: readonly string[]): Promise<number> {
  const [row] = await uow.query<{ count: string }>(
    `select case
       when exists (select from audience where client_id = $1 and id = any($2::uuid[]) and kind = 'EVERYONE')
       then (select count(*) from ${LIVE_ACCOUNTS} a)
       else (select count(*) from (
               select distinct account_id from audience_member where client_id = $1 and audience_id = any($2::uuid[])
             ) m join ${LIVE_ACCOUNTS} a on a.id = m.account_id)
     end as count`,
    [uow.clientId, audienceIds],
  );
  return Number(row?.count);
}

const JOINED = columnsOf(audienceMemberTable, ['joinedAt']);

/** `joined_at` is null in an audience for EVERYONE. */
type MemberRow = ListedAccountRow & {
  readonly [Column in keyof RowOf<typeof JOINED>]: RowOf<typeof JOINED>[Column] | null;
};

/** A member from its row. */
export function memberOf(row: MemberRow): Member {
  return { account: listedAccountOf(row), joinedAt: row.joined_at ?? undefined };
}

const ACCOUNT = listedColumns('a');

const MEMBERS = {
  columns: `${LISTED_COLUMNS}, ${JOINED}`,
  // A UUIDv7 sorts by the time of its making.
  orderBy: ['id'],
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id'], words: ['external_id'], beginnings: ['external_id'], parts: ['email', 'name'] },
  fields: {
    id: { kind: 'uuid', column: 'id' },
    externalId: { kind: 'text', column: 'external_id' },
    email: { kind: 'text', column: 'email' },
    name: { kind: 'text', column: 'name' },
  },
} as const;

/** Members of MANUAL audiences by page; narrow it to one `audience_id`. */
export const memberPage = pagedList<MemberRow>({
  ...MEMBERS,
  from: `(select m.client_id, m.audience_id, m.joined_at, ${ACCOUNT}
            from audience_member m
            join ${SEARCHABLE_ACCOUNTS} a on a.client_id = m.client_id and a.id = m.account_id) as member`,
});

/** Every account by page: the members of an audience for EVERYONE. */
export const everyonePage = pagedList<MemberRow>({
  ...MEMBERS,
  from: `(select a.client_id, null::timestamptz as joined_at, ${ACCOUNT} from ${SEARCHABLE_ACCOUNTS} a) as member`,
});
