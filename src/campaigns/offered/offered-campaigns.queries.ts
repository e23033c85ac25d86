import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { CAMPAIGN_PHASES, phaseSql } from '../campaigns/campaign-phase.ts';
import { campaignTable } from '../campaigns/campaign.entity.ts';

const OFFERED = propertiesOf(campaignTable, [
  'id',
  'name',
  'description',
  'status',
  'claimPolicy',
  'audienceIds',
  'rewardIds',
  'startsAt',
  'endsAt',
  'endedAt',
]);

/** The fields of a campaign that apps may read, without its missions. */
export type OfferedCampaignRow = RowOf<typeof OFFERED>;

/** A campaign in any state after its activation; only a DRAFT has never been activated. */
const ACTIVATED = `status <> 'DRAFT'`;

/** Pages of activated campaigns, latest first. */
export const offeredCampaignPage = pagedList<OfferedCampaignRow>({
  from: `(select *, ${phaseSql} as phase from campaign where ${ACTIVATED}) as offered`,
  columns: OFFERED,
  // UUIDv7 ids sort by creation time.
  orderBy: ['id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    phase: { kind: 'enum', values: CAMPAIGN_PHASES.filter((phase) => phase !== 'DRAFT'), column: 'phase' },
    claimPolicy: { kind: 'enum', values: ['AUTOMATIC', 'EXPLICIT'], column: 'claim_policy' },
  },
  orderable: {
    name: { column: 'name' },
    startsAt: { column: 'starts_at', nullable: true },
    endsAt: { column: 'ends_at', nullable: true },
  },
  searched: { ids: ['id'], parts: ['name'] },
});

/**
 * One activated campaign.
 * @throws DomainError `CAMPAIGN_NOT_FOUND`, also for a draft
 */
export async function requireOfferedCampaign(uow: UnitOfWork, id: string): Promise<OfferedCampaignRow> {
  const [row] = await uow.query<OfferedCampaignRow>(
    `select c.* from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({ select: OFFERED, from: 'campaign', key: { id: 'wanted.id' }, and: ACTIVATED })} c`,
    [uow.clientId, [id]],
  );
  if (row === undefined) throw new DomainError('CAMPAIGN_NOT_FOUND', sentence`There is no campaign with the id ${id}.`);
  return row;
}
