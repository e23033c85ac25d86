import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { TimelineEntry_Kind as Kind, type TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import {
  timelineMoment,
  type TimelineSource,
  type TimelineWindow,
  windowInMs,
} from '../persistence/subjects/timeline-source.ts';
import { assignmentTable } from './assignments/assignment.entity.ts';
import { campaignCompletionTable } from './completion/campaign-completion.entity.ts';
import type { Catalogs } from './catalog/catalog.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];

const MISSION = propertiesOf(assignmentTable, ['id', 'missionId', 'periodKey', 'completedAt']);
const CAMPAIGN = propertiesOf(campaignCompletionTable, ['campaignId', 'completedAt', 'closedAt']);

/** An id below all others. */
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The completions of an account, for its timeline. No index by time exists: all assignments of the account are read by its key. Their
 * number depends on missions and periods, not on events.
 */
export function completionTimelines(catalogs: Catalogs): readonly TimelineSource<Content>[] {
  return [
    {
      kind: Kind.MISSION,
      async page(uow, accountId, window, limit) {
        const { missions, campaigns } = await catalogs(uow);
        const rows = await uow.query<RowOf<typeof MISSION>>(
          `select c.* from ${completedBy(MISSION, 'assignment', 'id')} c order by c."completedAt" desc, c.id desc limit $6`,
          boundsOf(uow, accountId, window, limit),
        );
        return rows.map(({ id, missionId, periodKey, completedAt }) => {
          const mission = missions.get(missionId);
          const campaignId = mission?.campaignId ?? undefined;
          const campaignName = campaignId === undefined ? undefined : campaigns.get(campaignId)?.name;
          const value = { missionId, name: mission?.name ?? '', campaignId, campaignName, periodKey };
          return { at: timelineMoment(completedAt!), id, content: { case: 'mission', value } };
        });
      },
    },
    {
      kind: Kind.CAMPAIGN,
      async page(uow, accountId, window, limit) {
        const { campaigns } = await catalogs(uow);
        const rows = await uow.query<RowOf<typeof CAMPAIGN>>(
          `select c.* from ${completedBy(CAMPAIGN, 'campaign_completion', 'campaign_id')} c
            order by c."completedAt" desc, c."campaignId" desc limit $6`,
          boundsOf(uow, accountId, window, limit),
        );
        return rows.map(({ campaignId, completedAt, closedAt }) => ({
          at: timelineMoment(completedAt),
          id: campaignId,
          content: {
            case: 'campaign',
            value: {
              campaignId,
              name: campaigns.get(campaignId)?.name ?? '',
              closedAt: closedAt ? timestampFromDate(closedAt) : undefined,
            },
          },
        }));
      },
    },
  ];
}

/** SQL for the completions of an account within the bounds; the column `id` orders rows of the same time. */
function completedBy(select: string, from: string, id: string): string {
  const and = `completed_at >= $3 and (completed_at, ${id}) < ($4::timestamptz, $5::uuid)`;
  return lookUpByKey({ select, from, key: { account_id: '$2' }, and, many: true });
}

function boundsOf(uow: UnitOfWork, accountId: string, window: TimelineWindow, limit: number): unknown[] {
  const { from, until } = windowInMs(window);
  const { last } = window;
  const position = last ? [new Date(last.at / 1_000), last.id] : [until, LEAST_ID];
  return [uow.clientId, accountId, from, ...position, limit];
}
