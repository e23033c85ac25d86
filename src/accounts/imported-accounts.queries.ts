import type { JsonObject } from '@bufbuild/protobuf';
import { PAST_ZONES_MAX } from '../kernel/time/zone-history.ts';
import { lockedRows } from '../persistence/key-lookup.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { CLIENT_ROW } from '../persistence/client-row.ts';

/** A row of an import. A field is undefined if the file does not have it. */
export type ImportedAccount = {
  readonly externalId: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly timeZone: string | undefined;
  /** Declared attributes in their normal form, merged by name into those that the account has. */
  readonly attributes: JsonObject | undefined;
};

const STATED = `unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[])
         as s(id, external_id, email, name, time_zone, attributes)`;

/**
 * Creates accounts with their attributes, in the given order, and skips existing external ids, as `insertAccounts`
 * does. It returns only the number of created accounts: returning thousands of rows takes as long as writing them.
 */
export async function insertImportedAccounts(
  uow: UnitOfWork,
  accounts: ReadonlyArray<ImportedAccount & { readonly id: string }>,
  now: Date,
): Promise<number> {
  if (accounts.length === 0) return 0;
  const [row] = await uow.query<{ count: string }>(
    `with created as (
       insert into account (client_id, id, external_id, email, name, time_zone, attributes, created_at, updated_at)
       select client_row.client_id, s.id, external_id, email, name, time_zone, attributes, $8, $8
         from ${CLIENT_ROW} cross join ${STATED}
       on conflict (client_id, external_id) where deleted_at is null do nothing
       returning 1
     ) select count(*) from created`,
    [uow.clientId, ...valuesOf(accounts), now],
  );
  return Number(row?.count);
}

/** SQL for the past zones of an account `a` that gets another zone at `$8`: see `withZone`. */
const WITH_PRESENT_ZONE = `
  case when jsonb_array_length(a.past_zones) >= ${PAST_ZONES_MAX} then a.past_zones - 0 else coalesce(a.past_zones, '[]') end
  || jsonb_strip_nulls(jsonb_set(jsonb_object(array['timeZone'], array[a.time_zone]), '{until}',
       (extract(epoch from $8::timestamptz - '1970-01-01Z'::timestamptz) * 1000)::bigint::text::jsonb))`;

/** Writes the stated values of accounts that the caller has locked. Other values stay unchanged. */
export async function updateImportedAttributes(
  uow: UnitOfWork,
  accounts: ReadonlyArray<ImportedAccount & { readonly id: string }>,
  now: Date,
): Promise<void> {
  if (accounts.length === 0) return;
  await uow.query(
    `update account a
        set email = coalesce(s.email, a.email), name = coalesce(s.name, a.name),
            time_zone = coalesce(s.time_zone, a.time_zone), updated_at = $8,
            attributes = case when s.attributes is null then a.attributes
                              else coalesce(a.attributes, '{}') || s.attributes end,
            past_zones = case when s.time_zone is null or s.time_zone is not distinct from a.time_zone then a.past_zones
                              else ${WITH_PRESENT_ZONE} end
       from ${lockedRows({ source: STATED, alias: 's', table: 'account', key: { id: 's.id' } })}
      where a.client_id = $1 and a.ctid = s.row_ctid`,
    [uow.clientId, ...valuesOf(accounts), now],
  );
}

function valuesOf(accounts: ReadonlyArray<ImportedAccount & { readonly id: string }>): unknown[][] {
  return [
    accounts.map(({ id }) => id),
    accounts.map(({ externalId }) => externalId),
    accounts.map(({ email }) => email),
    accounts.map(({ name }) => name),
    accounts.map(({ timeZone }) => timeZone),
    accounts.map(({ attributes }) => attributes && JSON.stringify(attributes)),
  ];
}
