import { badRequest } from '../kernel/errors/domain-error.ts';
import { parseId } from '../kernel/ids.ts';
import { sentence } from '../kernel/sentence.ts';
import { lockedRows, lookUpByKey } from '../persistence/key-lookup.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { columnsOf } from '../persistence/columns-of.ts';
import { accountIdsWhere } from '../accounts/accounts-where.ts';
import type { AudienceEntity } from './audience.entity.ts';
import { ruleEnvironment, ruleOf, ruleSql } from './audience-rule.ts';
import { audienceMemberTable } from './members/audience-member.entity.ts';
import { formerMembershipTable } from './members/former-membership.entity.ts';
import { insertInto } from '../persistence/insert-into.ts';

/**
 * The MANUAL audiences of each account, by id, and the times of joining in milliseconds since 1970. An account without audiences has no
 * entry. Audiences of other kinds have no member rows: see
 * {@link audiencesWithoutRows}.
 */
export async function audiencesOfAccounts(
  uow: UnitOfWork,
  accountIds: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const rows = await uow.query<{ account_id: string; audience_ids: string[]; joined: number[] }>(
    `select wanted.id as account_id, array_agg(m.audience_id::text) as audience_ids,
            array_agg((extract(epoch from m.joined_at) * 1000)::float8) as joined
       from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({ select: 'audience_id, joined_at', from: 'audience_member', key: { account_id: 'wanted.id' }, many: true })} m
      group by wanted.id`,
    [uow.clientId, accountIds],
  );
  return new Map(
    rows.map((row) => [row.account_id, new Map(row.audience_ids.map((id, index) => [id, row.joined[index]!]))]),
  );
}

/** A period of membership in milliseconds since 1970; `until` is exclusive. */
type Stay = { readonly from: number; readonly until: number };

/**
 * The former memberships in MANUAL audiences, by account and audience, that ended after `since`; an account that often joins and leaves has
 * more. An account without any has no entry. Usually there are no former memberships at all, so one look-up checks this first.
 */
export async function formerAudiencesOfAccounts(
  uow: UnitOfWork,
  accountIds: readonly string[],
  since: Date,
): Promise<Map<string, Map<string, Stay[]>>> {
  const rows = await uow.query<{ account_id: string; audience_id: string; joined_at: Date; left_at: Date }>(
    `select wanted.id as account_id, f.*
       from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({
        select: 'audience_id, joined_at, left_at',
        from: 'former_membership',
        key: { account_id: 'wanted.id' },
        and: 'left_at > $3::timestamptz',
        many: true,
      })} f
      where exists (select from former_membership where client_id = $1 and left_at > $3::timestamptz)`,
    [uow.clientId, accountIds, since],
  );
  const former = new Map<string, Map<string, Stay[]>>();
  for (const row of rows) {
    const own = former.get(row.account_id) ?? new Map<string, Stay[]>();
    former.set(row.account_id, own);
    const stay = { from: row.joined_at.getTime(), until: row.left_at.getTime() };
    own.set(row.audience_id, [...(own.get(row.audience_id) ?? []), stay]);
  }
  return former;
}

/** An audience without member rows: of kind EVERYONE, or of kind RULE with its expression. */
export type AudienceWithoutRows = { readonly id: string; readonly expression: string | null };

/** The client's audiences of kinds EVERYONE and RULE, by id. They change only with the catalogue version. */
export async function audiencesWithoutRows(uow: UnitOfWork): Promise<AudienceWithoutRows[]> {
  return uow.query<AudienceWithoutRows>(
    `select id, expression from audience
      where client_id = $1 and kind in ('EVERYONE', 'RULE') and deleted_at is null order by id`,
    [uow.clientId],
  );
}

/** The RULE audiences with their names and expressions, by name. */
export async function ruleAudiences(uow: UnitOfWork): Promise<Array<{ name: string; expression: string }>> {
  return uow.query(
    `select name, expression from audience where client_id = $1 and kind = 'RULE' and deleted_at is null order by name, id`,
    [uow.clientId],
  );
}

/**
 * Checks that the audiences in a request's body exist.
 * @throws DomainError `BAD_REQUEST` naming the first that does not exist
 */
export async function requireAudiences(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  const rows = await uow.query<{ id: string }>(
    `select a.id from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({ select: 'id', from: 'audience', key: { id: 'wanted.id' }, and: 'deleted_at is null' })} a`,
    [uow.clientId, ids],
  );
  const known = new Set(rows.map((row) => row.id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw badRequest(sentence`There is no audience with the id ${unknown}. Send ids of existing audiences.`);
}

/** Makes accounts members; existing memberships stay. */
export async function insertMembers(
  uow: UnitOfWork,
  audienceId: string,
  accountIds: readonly string[],
  now: Date,
): Promise<void> {
  await insertUnlessMembers(
    uow,
    accountIds.map((accountId) => ({ audienceId, accountId, joinedAt: now })),
  );
}

const UNLESS_MEMBER = { shared: ['joinedAt'], conflict: { key: ['audienceId', 'accountId'], do: 'nothing' } } as const;

const insertUnlessMembers = insertInto(audienceMemberTable, UNLESS_MEMBER);

/**
 * Ends memberships and stores their periods; other accounts are skipped. If two periods end in one millisecond, the one that began first is
 * stored, because it contains the other.
 */
export async function deleteMembers(
  uow: UnitOfWork,
  audienceId: string,
  accountIds: readonly string[],
  now: Date,
): Promise<void> {
  const ended = await uow.query<{ account_id: string; joined_at: Date }>(
    `delete from audience_member m using ${lockedRows({
      source: 'unnest($3::uuid[]) as w(account_id)',
      alias: 'w',
      keys: '$3::uuid[]',
      table: 'audience_member',
      key: { account_id: 'w.account_id' },
      and: 'audience_id = $2',
    })} where m.client_id = $1 and m.ctid = w.row_ctid returning m.account_id, m.joined_at`,
    [uow.clientId, audienceId, accountIds],
  );
  await insertFormer(
    uow,
    ended.map((row) => ({ audienceId, accountId: row.account_id, joinedAt: row.joined_at, leftAt: now })),
  );
}

const insertFormer = insertInto(formerMembershipTable, {
  shared: ['audienceId', 'leftAt'],
  conflict: { key: ['accountId', 'audienceId', 'leftAt'], do: 'nothing' },
});

/** A MANUAL audience that a list of accounts may name. */
export type NamedAudience = { readonly id: string; readonly name: string };

/** The MANUAL audiences with one of the names or ids. Several audiences may have the same name. */
export async function manualAudiences(uow: UnitOfWork, namesOrIds: readonly string[]): Promise<NamedAudience[]> {
  if (namesOrIds.length === 0) return [];
  return uow.query<NamedAudience>(
    `select id, name from audience
      where client_id = $1 and kind = 'MANUAL' and deleted_at is null and (name = any($2::text[]) or id = any($3::uuid[]))`,
    [uow.clientId, namesOrIds, namesOrIds.filter((text) => parseId(text) !== undefined)],
  );
}

/** One account in one audience. */
export type Membership = { readonly audienceId: string; readonly accountId: string };

/** Makes accounts members of audiences; existing memberships stay. Returns the accounts that joined an audience. */
export async function insertMemberships(
  uow: UnitOfWork,
  memberships: readonly Membership[],
  now: Date,
): Promise<Set<string>> {
  const rows = await insertAndName(
    uow,
    memberships.toSorted(byKey).map((membership) => ({ ...membership, joinedAt: now })),
  );
  return new Set(rows.map(({ account_id }) => account_id));
}

const insertAndName = insertInto(audienceMemberTable, {
  ...UNLESS_MEMBER,
  returning: columnsOf(audienceMemberTable, ['accountId']),
});

/** The order of the key, so that two statements never deadlock. */
function byKey(one: Membership, other: Membership): number {
  if (one.audienceId !== other.audienceId) return one.audienceId < other.audienceId ? -1 : 1;
  return one.accountId < other.accountId ? -1 : Number(one.accountId > other.accountId);
}

/** The members of an audience in the order of their ids, after one id; those of EVERYONE are the list of accounts. */
export async function membersAfter(
  uow: UnitOfWork,
  { id: audienceId, expression }: Pick<AudienceEntity, 'id' | 'expression'>,
  accountId: string,
  limit: number,
  now: Date,
): Promise<string[]> {
  if (expression != null) {
    const rule = ruleOf(expression, await ruleEnvironment(uow, now));
    return accountIdsWhere(uow, { sql: ruleSql(rule) }, accountId, limit);
  }
  const rows = await uow.query<{ account_id: string }>(
    `select account_id from audience_member
      where client_id = $1 and audience_id between $2 and $2 and account_id > $3
      order by client_id, audience_id, account_id limit $4`,
    [uow.clientId, audienceId, accountId, limit],
  );
  return rows.map(({ account_id }) => account_id);
}
