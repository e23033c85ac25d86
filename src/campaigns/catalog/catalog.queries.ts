import { amountFromDecimal } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { campaignTable } from '../campaigns/campaign.entity.ts';
import { missionTable } from '../missions/mission.entity.ts';
import type { CatalogMission } from './client-catalog.ts';

/** Rows of one page: the driver converts them in two milliseconds, without a pause. */
const PAGE = 250;

/** An id below all others. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const CAMPAIGN = propertiesOf(campaignTable, [
  'id',
  'status',
  'audienceIds',
  'controlGroupPercent',
  'claimPolicy',
  'rewardIds',
  'startsAt',
  'endsAt',
  'activatedAt',
  'endedAt',
  'pauses',
  'name',
]);

/** The columns of a campaign that rules and reads need. */
export type CatalogCampaign = RowOf<typeof CAMPAIGN>;

/** The campaigns of a client in any state, by page: other clients can run between two pages. */
export async function* campaignPages(uow: UnitOfWork): AsyncGenerator<CatalogCampaign[]> {
  yield* pages((after) =>
    uow.query<CatalogCampaign>(
      `select ${CAMPAIGN} from campaign where client_id = $1 and id > $2 order by id limit $3`,
      [uow.clientId, after, PAGE],
    ),
  );
}

const MISSION = propertiesOf(missionTable, [
  'clientId',
  'id',
  'campaignId',
  'audienceId',
  'type',
  'name',
  'description',
  'imageUrl',
  'programmaticCode',
  'target',
  'counts',
  'repeat',
  'rewardIds',
  'conditions',
  'period',
  'perPeriodTarget',
  'gracePeriods',
  'milestones',
  'onReversal',
  'occurrences',
  'startsAt',
  'endsAt',
  'durationDays',
  'position',
  'createdAt',
]);

/** The enabled missions of a client, by page: 5,000 in one piece blocked the event loop for 150 ms. */
export async function* missionPages(uow: UnitOfWork): AsyncGenerator<CatalogMission[]> {
  const rows = pages((after) =>
    uow.query<RowOf<typeof MISSION>>(
      `select ${MISSION} from mission where client_id = $1 and active and id > $2 order by id limit $3`,
      [uow.clientId, after, PAGE],
    ),
  );
  for await (const page of rows) yield page.map(missionOf);
}

async function* pages<Row extends { readonly id: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = FIRST_ID; ;) {
    const page = await read(after);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

function missionOf(row: RowOf<typeof MISSION>): CatalogMission {
  const perPeriodTarget = row.perPeriodTarget === null ? null : amountFromDecimal(row.perPeriodTarget);
  return { ...row, target: amountFromDecimal(row.target), perPeriodTarget };
}
