import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type GetOverviewRequest,
  GetOverviewRequest_Bucket,
  type GetOverviewResponseSchema,
} from '../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { clientZones } from '../clients/client-zones.ts';
import type { Call } from '../clients/call.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { renamedMoment } from '../kernel/time/renamed-moment.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type Bucket, type BucketQuery, readBuckets, readFormer } from './statistic-hours.queries.ts';
import type { ActivityCounters } from './activity-counters.ts';

/** The current totals, by functions of the modules. */
export type Totals = {
  readonly accounts: (uow: UnitOfWork) => Promise<number>;
  readonly activeCampaigns: (uow: UnitOfWork) => Promise<number>;
  readonly pendingStock: (uow: UnitOfWork) => Promise<number>;
};

/** The dependencies of an overview. */
export type OverviewOptions = {
  readonly activityCounters: Pick<ActivityCounters, 'flush'>;
  readonly totals: Totals;
};

/** Returns the counts of activities and the current totals: proto StatisticsAdminService.GetOverview. */
export async function getOverview(
  { db, principal: { clientId }, now }: Call,
  request: GetOverviewRequest,
  { activityCounters, totals }: OverviewOptions,
): Promise<MessageInitShape<typeof GetOverviewResponseSchema>> {
  const asked = bucketsOf(request, now);
  await activityCounters.flush();
  return db.unitOfWork(clientId, async (uow) => {
    const timeZone = asked.unit === 'day' ? (await clientZones(uow)).timeZone : 'UTC';
    const buckets = await readBuckets(uow, { ...asked, timeZone });
    const former = await readFormer(uow, { ...asked, timeZone, count: buckets.length });
    return {
      overview: {
        points: buckets.map(toPoint),
        former: toPoint(former),
        totals: {
          accounts: await totals.accounts(uow),
          activeCampaigns: await totals.activeCampaigns(uow),
          pendingStock: await totals.pendingStock(uow),
        },
      },
    };
  });
}

function toPoint({ start, ...counts }: Bucket) {
  return { start: timestampFromDate(start), ...counts };
}

const UNIT_MS = { hour: 3_600_000, day: 86_400_000 } as const;

/** The maximum of buckets in one answer: some hundred kilobytes. */
const BUCKETS_MAX = 1_000;

function bucketsOf({ since, until, from, to, bucket }: GetOverviewRequest, now: Date): Omit<BucketQuery, 'timeZone'> {
  const unit = bucket === GetOverviewRequest_Bucket.DAY ? 'day' : 'hour';
  const end = renamedMoment({ until }, { to }) ?? now;
  const start = renamedMoment({ since }, { from }) ?? new Date(end.getTime() - UNIT_MS.day);
  const length = end.getTime() - start.getTime();
  if (length <= 0) throw badRequest('`until` must be later than `since`.');
  if (length / UNIT_MS[unit] <= BUCKETS_MAX) return { from: start, to: end, unit };
  throw badRequest(
    sentence`There are more than ${BUCKETS_MAX} buckets between \`since\` and \`until\`. Send a shorter time, or bucket=DAY.`,
  );
}
