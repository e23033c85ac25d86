import type { ListedAccount } from '../../accounts/account.ts';
import {
  LISTED_COLUMNS,
  listedAccountOf,
  type ListedAccountRow,
  listedColumns,
} from '../../accounts/accounts.queries.ts';
import { accountsWhereSql, countAccountsWhere, type JoinedCondition } from '../../accounts/accounts-where.ts';
import { SEARCHABLE_ACCOUNTS } from '../../accounts/joined-accounts.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { type Page, type PagedList, pagedList, type PageRequest } from '../../persistence/lists/list-page.ts';
import { type AudienceRule, ruleEnvironment, ruleOf, ruleSql, type StatisticReading } from '../audience-rule.ts';
import { audienceMemberTable } from './audience-member.entity.ts';

/** An account in an audience; `joinedAt` is undefined in an audience without member rows. */
export type Member = { readonly account: ListedAccount; readonly joinedAt: Date | undefined };

/** SQL of the members of the audiences `$2`, each once. */
const ASSIGNED =
  '(select distinct account_id from audience_member where client_id = $1 and audience_id = any($2::uuid[])) m';

/**
 * The number of accounts in any of these audiences, each counted once, without deleted ones. PostgreSQL needs some seconds for a million:
 * use it on pages of one audience or campaign, not in lists.
 * @param now the time at which expressions are evaluated
 */
export async function countMembers(uow: UnitOfWork, audienceIds: readonly string[], now: Date): Promise<number> {
  const audiences = await kindsOf(uow, audienceIds);
  if (audiences.some(({ kind }) => kind !== 'MANUAL'))
    return countAccountsWhere(uow, await conditionOf(uow, audiences, { audienceIds, now, reading: 'joined' }));
  const [row] = await uow.query<{ count: string }>(
    `select count(*) from ${ASSIGNED} cross join ${liveAccount('1')} a`,
    [uow.clientId, audienceIds],
  );
  return Number(row?.count);
}

/** SQL of a table `a` of accounts with their `id`, and its values, which are numbered from `$2`. It varies, so no statement is kept. */
export type AccountsSql = { readonly sql: string; readonly values: readonly unknown[] };

/**
 * SQL of the accounts in any of these audiences, each once, without deleted ones.
 * @param now the time at which expressions are evaluated
 */
export async function membersSql(uow: UnitOfWork, audienceIds: readonly string[], now: Date): Promise<AccountsSql> {
  const audiences = await kindsOf(uow, audienceIds);
  if (audiences.some(({ kind }) => kind !== 'MANUAL')) {
    const condition = await conditionOf(uow, audiences, { audienceIds, now, reading: 'lookedUp' });
    return { sql: accountsWhereSql(condition), values: condition.values ?? [] };
  }
  return { sql: `(select a.id from ${ASSIGNED} cross join ${liveAccount('id')} a) a`, values: [audienceIds] };
}

type AudienceKind = { readonly kind: string; readonly expression: string | null };

function kindsOf(uow: UnitOfWork, audienceIds: readonly string[]): Promise<AudienceKind[]> {
  return uow.query<AudienceKind>(
    `select kind, expression from audience where client_id = $1 and id = any($2::uuid[])`,
    [uow.clientId, audienceIds],
  );
}

async function conditionOf(
  uow: UnitOfWork,
  audiences: readonly AudienceKind[],
  {
    audienceIds,
    now,
    reading,
  }: { readonly audienceIds: readonly string[]; readonly now: Date; readonly reading: StatisticReading },
): Promise<JoinedCondition> {
  if (audiences.some(({ kind }) => kind === 'EVERYONE')) return { sql: 'true', joins: '' };
  const texts = audiences.flatMap(({ expression }) => expression ?? []);
  const environment = texts.length > 0 ? await ruleEnvironment(uow, now, reading) : undefined;
  const rules = texts.map((text) => ruleOf(text, environment!));
  const sql = rules.map(ruleSql);
  const joins = environment?.joinsOf(rules) ?? '';
  if (audiences.length === texts.length) return { sql: sql.join(' or ') || 'false', joins };
  const isMember = `exists (select from audience_member m where m.client_id = $1 and m.audience_id = any($2::uuid[]) and m.account_id = a.id)`;
  return { sql: [...sql, isMember].join(' or '), joins, values: [audienceIds] };
}

const JOINED = columnsOf(audienceMemberTable, ['joinedAt']);

/** `joined_at` is null in an audience without member rows. */
type MemberRow = ListedAccountRow & {
  readonly [Column in keyof RowOf<typeof JOINED>]: RowOf<typeof JOINED>[Column] | null;
};

/** A member from its row. */
export function memberOf(row: MemberRow): Member {
  return { account: listedAccountOf(row), joinedAt: row.joined_at ?? undefined };
}

/** The account of a member `m`: one look-up each, whatever PostgreSQL's statistics say. See docs/decisions/0046. */
function liveAccount(select: string): string {
  return lookUpByKey({ select, from: 'account', key: { id: 'm.account_id' }, and: 'deleted_at is null' });
}

const MEMBERS = {
  columns: `${LISTED_COLUMNS}, ${JOINED}`,
  // A UUIDv7 sorts by its time of creation.
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

const ACCOUNT = listedColumns('a');

/** Pages in the order of the members' key. */
const byMember = pagedList<MemberRow>({
  ...MEMBERS,
  from: `(select m.client_id, m.audience_id, m.account_id, m.joined_at, ${ACCOUNT}
            from audience_member m cross join ${liveAccount(LISTED_COLUMNS)} a) as member`,
  orderBy: ['account_id'],
  orderable: { createdAt: { column: 'account_id', unique: true } },
});

/** Pages over accounts, so that PostgreSQL uses the search indexes. */
const byAccount = pagedList<MemberRow>({
  ...MEMBERS,
  from: `(select a.client_id, m.audience_id, m.joined_at, ${ACCOUNT}
            from ${SEARCHABLE_ACCOUNTS} a
           cross join ${lookUpByKey({ select: 'audience_id, joined_at', from: 'audience_member', key: { account_id: 'a.id' }, many: true })} m
         ) as member`,
});

/** The most members whose accounts are searched one by one; in a larger audience the accounts are searched first. */
const LOOKED_AT_MAX = 10_000;

/** The members of a MANUAL audience, by page. */
export async function memberPage(uow: UnitOfWork, audienceId: string, request: PageRequest): Promise<Page<MemberRow>> {
  const isSearch = (request.filters?.filters.length ?? 0) > 0 || (request.search ?? '') !== '';
  const list = isSearch && (await hasMoreMembers(uow, audienceId, LOOKED_AT_MAX)) ? byAccount : byMember;
  return list(uow, { ...request, only: { audience_id: audienceId } });
}

async function hasMoreMembers(uow: UnitOfWork, audienceId: string, count: number): Promise<boolean> {
  const members = lookUpByKey({ select: '1', from: 'audience_member', key: { audience_id: '$2::uuid' }, many: true });
  const rows = await uow.query(`select 1 from ${members} m offset $3::bigint limit 1`, [
    uow.clientId,
    audienceId,
    count,
  ]);
  return rows.length > 0;
}

/** All accounts, by page: the members of an EVERYONE audience. */
export const everyonePage = pagedList<MemberRow>(withoutRows('true'));

/** The accounts for which a rule holds, by page. */
export function rulePage(uow: UnitOfWork, rule: AudienceRule, request: PageRequest): Promise<Page<MemberRow>> {
  // The statement varies with the rule, so no beginnings of its pages are kept.
  return pagedList<MemberRow>(withoutRows(ruleSql(rule)))(uow, request);
}

/** The list of accounts `a` that fulfil a condition. */
function withoutRows(condition: string): PagedList {
  return {
    ...MEMBERS,
    from: `(select a.client_id, null::timestamptz as joined_at, ${ACCOUNT} from ${SEARCHABLE_ACCOUNTS} a where ${condition}) as member`,
  };
}
