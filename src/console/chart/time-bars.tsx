import '@mantine/charts/styles.css';
import { BarChart, type BarChartSeries, type BarChartType } from '@mantine/charts';
import { useFormatter } from 'use-intl';

/** Counts over time as bars: one group for each of `data`, named by its `dataKey`. */
export function TimeBars(props: {
  readonly h: number;
  readonly data: Array<Record<string, string | number>>;
  readonly dataKey: string;
  readonly series: BarChartSeries[];
  /** Beside one another, if left out. */
  readonly type?: BarChartType;
}) {
  const format = useFormatter();
  return (
    <BarChart
      {...props}
      withLegend
      // In the order of the series, not of the alphabet.
      legendProps={{ itemSorter: null }}
      gridAxis="x"
      tickLine="none"
      maxBarWidth={28}
      valueFormatter={(value) => format.number(value)}
      // Labels at even distances; an interval that always keeps the last label would break them.
      xAxisProps={{ interval: 'equidistantPreserveStart' }}
      yAxisProps={{ allowDecimals: false, width: 44, tickFormatter: (value) => format.number(value, 'short') }}
    />
  );
}
