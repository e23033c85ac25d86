import { GetOverviewRequest_Bucket } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';

/** The selectable spans with their buckets: hours up to a day, days for longer ones. */
export const spans = {
  day: { hours: 24, bucket: GetOverviewRequest_Bucket.HOUR },
  week: { hours: 7 * 24, bucket: GetOverviewRequest_Bucket.DAY },
  month: { hours: 30 * 24, bucket: GetOverviewRequest_Bucket.DAY },
} as const;

/** The name of a span. */
export type SpanName = keyof typeof spans;
