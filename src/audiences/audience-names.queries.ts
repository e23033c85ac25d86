import type { UnitOfWork } from '../persistence/database.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';

/**
 * SQL of the names of the MANUAL and EVERYONE audiences of an account `a`, each once, as `text[]`. RULE audiences are left out: their
 * expressions may read this list.
 */
export const AUDIENCE_NAMES_SQL = namesSql('a.id');

function namesSql(accountId: string): string {
  const member = lookUpByKey({
    select: 'audience_id',
    from: 'audience_member',
    key: { account_id: accountId },
    many: true,
  });
  const audience = lookUpByKey({
    select: 'name',
    from: 'audience',
    key: { id: 'member.audience_id' },
    and: `kind = 'MANUAL' and deleted_at is null`,
  });
  return `array(select audience.name from ${member} member cross join ${audience} audience
          union select name from audience where client_id = $1 and kind = 'EVERYONE' and deleted_at is null
          order by name)`;
}

/** The names of the MANUAL and EVERYONE audiences of accounts, by the id of the account, each name once. */
export async function audienceNamesOf(
  uow: UnitOfWork,
  accountIds: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows = await uow.query<{ id: string; names: string[] }>(
    `select wanted.id, ${namesSql('wanted.id')} as names from unnest($2::uuid[]) as wanted(id)`,
    [uow.clientId, accountIds],
  );
  return new Map(rows.map(({ id, names }) => [id, names]));
}

/** The names of the client's MANUAL and EVERYONE audiences, by id. They change only with the catalogue version. */
export async function audienceNames(uow: UnitOfWork): Promise<Map<string, string>> {
  const rows = await uow.query<{ id: string; name: string }>(
    `select id, name from audience where client_id = $1 and kind in ('MANUAL', 'EVERYONE') and deleted_at is null order by id`,
    [uow.clientId],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The name of a MANUAL or EVERYONE audience that no other of them has; undefined for another audience. */
export async function soleAudienceName(uow: UnitOfWork, id: string): Promise<string | undefined> {
  const rows = await uow.query<{ name: string }>(
    `select name from audience a
      where client_id = $1 and id = $2 and kind in ('MANUAL', 'EVERYONE') and deleted_at is null and not exists (
        select from audience other
         where other.client_id = $1 and other.id <> $2 and other.name = a.name and other.kind in ('MANUAL', 'EVERYONE')
           and other.deleted_at is null)`,
    [uow.clientId, id],
  );
  return rows[0]?.name;
}
