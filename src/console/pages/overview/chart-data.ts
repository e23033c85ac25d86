import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useFormatter } from 'use-intl';
import type { Overview_Point } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import type { SpanName } from './spans.ts';

/** One step of a chart: its label on the axis, and its counts by the name of the line. */
export type ChartStep = Record<string, string | number>;

/** Turns the service's buckets into steps of a chart. */
export function useChartSteps(): (
  points: readonly Overview_Point[],
  span: SpanName,
  countsOf: (point: Overview_Point) => Record<string, number>,
) => ChartStep[] {
  const format = useFormatter();
  return (points, span, countsOf) =>
    points.map((point) => {
      const start = point.start ? timestampDate(point.start) : new Date(0);
      return { at: format.dateTime(start, span === 'day' ? 'hour' : 'shortDay'), ...countsOf(point) };
    });
}
