import type { MessageInitShape } from '@bufbuild/protobuf';
import { Audience_Kind, type AudienceSummarySchema } from '../../gen/laurel/v1/audience_pb.ts';
import { SEARCHABLE_ACCOUNTS } from '../accounts/joined-accounts.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';
import { propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type Page, type PagedList, pagedList, type PageRequest } from '../persistence/lists/list-page.ts';
import { audienceTable } from './audience.entity.ts';

const SUMMARY = propertiesOf(audienceTable, ['id', 'name', 'kind']);

/** The fields of an audience that apps may read. */
export type AudienceSummary = RowOf<typeof SUMMARY>;

/** An audience as an app sees it. */
export function toAudienceSummaryMessage({
  id,
  name,
  kind,
}: AudienceSummary): MessageInitShape<typeof AudienceSummarySchema> {
  return { id, name, kind: Audience_Kind[kind] };
}

/** The audiences with these ids that are not deleted, by id. */
export async function audienceSummaries(
  uow: UnitOfWork,
  ids: readonly string[],
): Promise<Map<string, AudienceSummary>> {
  if (ids.length === 0) return new Map();
  const rows = await uow.query<AudienceSummary>(
    `select a.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: SUMMARY,
      from: 'audience',
      key: { id: 'wanted.id' },
      and: 'deleted_at is null',
    })} a`,
    [uow.clientId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * One audience.
 * @throws DomainError `AUDIENCE_NOT_FOUND`
 */
export async function requireAudienceSummary(uow: UnitOfWork, id: string): Promise<AudienceSummary> {
  const [audience] = (await audienceSummaries(uow, [id])).values();
  if (audience === undefined)
    throw new DomainError('AUDIENCE_NOT_FOUND', sentence`There is no audience with the id ${id}.`);
  return audience;
}

const LIST = {
  orderBy: ['name', 'id'],
  orderable: { name: { column: 'name' } },
  searched: { ids: ['id'], parts: ['name'] },
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    kind: { kind: 'enum', column: 'kind', values: ['MANUAL', 'EVERYONE', 'RULE'] },
  },
} as const;

/** The audiences that are not deleted, by page and name; apps never see deleted ones. */
export const audienceSummaryPage = pagedList<AudienceSummary>({
  ...LIST,
  from: '(select * from audience where deleted_at is null) as present',
  columns: SUMMARY,
});

/** An audience of an account; `joined_at` is null in an audience without member rows. */
type MembershipRow = AudienceSummary & { readonly joined_at: Date | null };

/**
 * The audiences of an account, by page and name.
 * @param accountId UUID
 * @param held the ids of the RULE audiences that hold for the account
 */
export function membershipPage(
  uow: UnitOfWork,
  accountId: string,
  held: readonly string[],
  request: PageRequest,
): Promise<Page<MembershipRow>> {
  // An account has few audiences, so no beginnings of its pages are kept.
  return pagedList<MembershipRow>(memberships(held))(uow, { ...request, only: { account_id: accountId } });
}

function memberships(held: readonly string[]): PagedList {
  return {
    ...LIST,
    from: `(select m.client_id, m.account_id, m.joined_at, a.id, a.name, a.kind
            from audience_member m
            join audience a on a.client_id = m.client_id and a.id = m.audience_id and a.deleted_at is null
          union all
          select a.client_id, x.id, null::timestamptz, a.id, a.name, a.kind
            from ${SEARCHABLE_ACCOUNTS} x
            join audience a on a.client_id = x.client_id and a.deleted_at is null
             and (a.kind = 'EVERYONE' or a.id = any('{${held.join(',')}}'::uuid[]))) as membership`,
    columns: `${SUMMARY}, joined_at`,
  };
}
